/** Presets of accepted files, as values of the HTML attribute `accept`: types or extensions. */
export const acceptPresets = {
  any: [],
  images: ['image/*'],
  pdf: ['application/pdf', '.pdf'],
  documents: [
    ...['.pdf', '.doc', '.docx', '.odt', '.rtf', '.txt', '.csv'],
    ...['.xls', '.xlsx', '.ods', '.ppt', '.pptx', '.odp'],
  ],
} as const satisfies Record<string, readonly string[]>
export type AcceptPreset = keyof typeof acceptPresets
export const acceptPresetNames = Object.keys(acceptPresets) as [AcceptPreset, ...AcceptPreset[]]

/** Whether a list in the form of the attribute `accept` accepts a file; an empty list accepts any. */
export function acceptsFile(accept: readonly string[], { name, type }: { name: string; type: string }): boolean {
  const ending = name.toLowerCase()
  const mime = type.toLowerCase().split(';')[0]?.trim() ?? ''
  const fits = (rule: string): boolean => {
    if (rule.startsWith('.')) return ending.endsWith(rule)
    return rule.endsWith('/*') ? mime.startsWith(rule.slice(0, -1)) : mime === rule
  }
  return accept.length === 0 || accept.some((rule) => fits(rule.toLowerCase()))
}
