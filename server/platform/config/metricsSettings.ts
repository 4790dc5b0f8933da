import { z } from 'zod'

/** The variables about metrics, for the table of all settings. */
export const metricsVariables = {
  METRICS_TOKEN: z
    .string()
    .refine(
      (text) => /^[\x21-\x7e]{16,200}$/.test(text),
      'give 16 to 200 characters without spaces, such as the output of "openssl rand -hex 32"',
    )
    .optional(),
} as const
