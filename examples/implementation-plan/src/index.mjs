export * from './celsius.mjs'
