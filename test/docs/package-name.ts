// Lets an example import 'espalier' as a user's program does, and get what is in src/ now. For `node --import`.
import { registerHooks } from 'node:module'

const library = new URL('../../src/index.ts', import.meta.url).href

registerHooks({
  resolve: (specifier, context, next) => next(specifier === 'espalier' ? library : specifier, context),
})
