// `espalier/client`: see server/client/.
export * from './server/client/connect.ts'
