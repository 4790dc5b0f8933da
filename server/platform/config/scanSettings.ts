import { z } from 'zod'
import type { ScanSettings } from '../files/scanFile'

/** The variables about a program that looks for viruses, for the table of all settings. */
export const scanVariables = {
  SCAN_COMMAND: z
    .string()
    .transform((text) => text.trim().split(/\s+/))
    .refine(
      ([program = '', ...words]) => program !== '' && words.filter((word) => word === '{}').length <= 1,
      'give a program and its words, such as clamdscan --no-summary -, or with {} for the file',
    )
    .optional(),
  SCAN_SECONDS: z
    .string()
    .default('60')
    .refine((text) => /^[1-9]\d{0,2}$/.test(text), 'give seconds from 1 to 999'),
} as const

/** @returns null: nothing looks at uploads */
export const readScanSettings = (given: z.output<z.ZodObject<typeof scanVariables>>): ScanSettings | null =>
  given.SCAN_COMMAND ? { command: given.SCAN_COMMAND, patience: Number(given.SCAN_SECONDS) * 1_000 } : null
