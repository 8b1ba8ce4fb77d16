// The fields of a batch plan by their names, in lower case: `**Files:**`, `**Depends on:**`, `#### Verification`.

export function isField(name: string): boolean {
  return FIELDS.has(name) || isFilesField(name) || isVerificationField(name)
}

export function isFilesField(name: string): boolean {
  return /^(?:(?:new|modified|changed|created|deleted|affected|reference|test) )?files?(?: (?:to|changed|modified|created|deleted|affected|touched|involved)\b.*)?$/.test(
    name,
  )
}

export function isVerificationField(name: string): boolean {
  return /^(?:how to )?verif(?:y|ication)(?: (?:steps?|commands?|checks?|criteria|plan))?$/.test(name)
}

/** In bold like a field, but said of the command above or below it. */
export function isOfCommand(name: string): boolean {
  return /^(?:run|command|expected(?: (?:output|result|outcome))?)$/.test(name)
}

export const WAITS = ['dependencies', 'depends on', 'dependency', 'blocked by']

const FIELDS = new Set([...WAITS, 'execution mode', 'status', 'implementation', 'commit'])
