import type { TFunction } from 'i18next'
import type { z } from 'zod'

/** A schema's objection in the interface's words. Messages that a schema brings along (SPEC.md 5) are shown as they are. */
export function issueMessage(issue: z.core.$ZodIssue, t: TFunction<['blocks', 'text']>): string {
  if (issue.code === 'custom') return issue.message
  if (issue.code === 'too_big')
    return t(issue.origin === 'array' ? 'text:form.tooMany' : 'text:form.atMost', { n: issue.maximum })
  if (issue.code === 'too_small') return t('text:form.atLeast', { n: issue.minimum })
  if (issue.code === 'invalid_type' && issue.expected === 'int') return t('text:form.notWhole')
  return t('text:form.invalid')
}
