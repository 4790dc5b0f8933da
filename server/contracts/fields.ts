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

/**
 * A password that an account has, which a person enters to log in, or where the account could be taken over or lost.
 * Rules for new ones don't count here.
 */
export const presentPassword = z.string().min(1, 'Required').max(50, tooLong(50))

/** A name of a person or of a thing of theirs. */
export const shortName = z.string().trim().min(1, 'Required').max(75, tooLong(75))
