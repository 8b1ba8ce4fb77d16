// A shape that is known by its type: the client has it as such, and OpenAPI says in words what it is. For answers that are
// the JSON output of a command or of a function of the library, whose fields are documented there.
import * as z from 'zod'

export function shape<T>(description: string): z.ZodType<T, T> {
  return z.custom<T>((value) => value !== undefined).describe(description)
}
