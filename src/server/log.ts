/** What the server writes its log with: pino's, of which nothing else is used. */
export type Log = Record<'info' | 'warn' | 'error', (fields: object, message: string) => void>
