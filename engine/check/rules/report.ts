import type { Diagnostic, Place, Remedy, Value } from '../diagnostic'
import { type ProblemCode, problemTexts } from '../texts'

export const report = (
  code: ProblemCode,
  place: Place,
  values: Readonly<Record<string, Value>> = {},
  remedy?: Remedy,
): Diagnostic => ({ code, severity: problemTexts[code][0], place, values, ...(remedy && { remedy }) })
