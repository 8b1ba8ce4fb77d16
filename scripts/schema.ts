// Writes the JSON Schemas that editors use for plans and settings files, from the schemas the program itself uses.
// Usage: npm run schema
import { writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { z } from 'zod'
import { planSchema } from '../src/workloads/plan/schema.ts'
import { manifestSchema } from '../src/workloads/search/result-manifest.ts'
import { searchSchema } from '../src/workloads/search/schema.ts'
import { settingsSchema } from '../src/workloads/settings/settings-file-schema.ts'
import { suiteSchema } from '../src/workloads/suite/schema.ts'

export const SCHEMA_FOLDER = new URL('../schema/', import.meta.url)

/** What each file of the folder should hold. */
export function schemaFiles(): Record<string, string> {
  return {
    'plan.schema.json': toText('Espalier plan', planSchema),
    'search.schema.json': toText('Espalier search', searchSchema),
    'search-manifest.schema.json': toText('Manifest of an Espalier search', manifestSchema),
    'suite.schema.json': toText('Espalier suite', suiteSchema),
    'config.schema.json': toText('Espalier settings', settingsSchema),
  }
}

function toText(title: string, schema: z.ZodType): string {
  const { $schema, ...rest } = z.toJSONSchema(schema, { io: 'input', target: 'draft-7' })
  return `${JSON.stringify({ $schema, title, ...rest }, null, 2)}\n`
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  for (const [name, text] of Object.entries(schemaFiles())) {
    writeFileSync(new URL(name, SCHEMA_FOLDER), text)
    console.log(`schema/${name}: ${text.length} bytes`)
  }
}
