/** A field of a form on a page, as pdf.js gives it. */
export interface PdfAnnotation {
  subtype?: string
  fieldType?: string | null
  fieldName?: string
  alternativeText?: string
  fieldValue?: unknown
  /** what a choice's values are called */
  options?: readonly { exportValue?: unknown; displayValue?: unknown }[]
  checkBox?: boolean
  radioButton?: boolean
  buttonValue?: string | null
  password?: boolean
  hidden?: boolean
}

/** Fields of a document that are read. */
export const MOST_FIELDS = 2_000
const MOST_VALUE = 2_000
const MOST_LABEL = 200

/**
 * What is filled in on a page, an entry a field: "- Name: Ada". A tick stands for a checked box; what is empty, hidden
 * or a password is left out.
 * @param most fields at most
 */
export function filledFields(annotations: readonly PdfAnnotation[], most: number): string[] {
  const filled: string[] = []
  for (const annotation of annotations) {
    if (filled.length >= most) break
    const { subtype, password, hidden } = annotation
    if (subtype !== 'Widget' || password || hidden) continue
    const label = labelOf(annotation)
    const value = oneLine(valueIn(annotation), MOST_VALUE)
    if (label !== '' && value !== '') filled.push(`- ${label}: ${value}`)
  }
  return filled
}

/** What people see of it, else its name without those of the groups that it is in: `person.first_name[0]`. */
function labelOf({ alternativeText, fieldName }: PdfAnnotation): string {
  const label = oneLine(alternativeText ?? '', MOST_LABEL)
  if (label !== '') return label.endsWith(':') ? label.slice(0, -1).trimEnd() : label
  const name = (fieldName ?? '').slice(-MOST_LABEL)
  const own = name.slice(name.lastIndexOf('.') + 1)
  const end = own.endsWith(']') ? own.lastIndexOf('[') : -1
  return oneLine((end > 0 ? own.slice(0, end) : own).replaceAll('_', ' '), MOST_LABEL)
}

function valueIn({ fieldType, fieldValue, options = [], checkBox, radioButton, buttonValue }: PdfAnnotation): string {
  if (fieldType === 'Btn') {
    if (checkBox) return typeof fieldValue === 'string' && fieldValue !== 'Off' && fieldValue !== '' ? '✓' : ''
    return radioButton && buttonValue && fieldValue === buttonValue ? buttonValue : ''
  }
  if (fieldType !== 'Tx' && fieldType !== 'Ch') return ''
  const values = (Array.isArray(fieldValue) ? fieldValue.slice(0, 50) : [fieldValue]).filter(isText)
  const names = new Map(fieldType === 'Ch' ? options.map((each) => [each.exportValue, each.displayValue]) : [])
  return values.map((value) => (isText(names.get(value)) ? names.get(value) : value)).join(', ')
}

const isText = (value: unknown): value is string => typeof value === 'string' && value !== ''
const oneLine = (text: string, most: number): string => text.slice(0, most).replace(/\s+/g, ' ').trim()
