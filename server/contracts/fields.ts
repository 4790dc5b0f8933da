import { z } from 'zod'
import { tooLong } from '../../engine/values/caps'
import { parseEmail, ruleMessages } from '../../engine/values/rules'

/** A field for an email address by the rule of SPEC.md 5, trimmed: of routes, and of the forms that check before they send. */
export const emailAddress = (max: number) =>
  z
    .string()
    .trim()
    .max(max, tooLong(max))
    .refine((text) => parseEmail(text, max) !== null, ruleMessages.email)
