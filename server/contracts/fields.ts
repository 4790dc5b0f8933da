import { z } from 'zod'
import { tooLong } from '../../engine/values/caps'
import { parseEmail, ruleMessages } from '../../engine/values/rules'

/** An email field by the rule of SPEC.md 5, trimmed: for routes, and for forms that validate before sending. */
export const emailAddress = (max: number) =>
  z
    .string()
    .trim()
    .max(max, tooLong(max))
    .refine((text) => parseEmail(text, max) !== null, ruleMessages.email)
