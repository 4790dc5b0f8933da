import { z } from 'zod'
import { defineEvent } from '../../platform/events/defineEvent'

const domain = z.strictObject({ domain: z.string(), chatbot: z.string(), hostname: z.string() })

export const domainAdded = defineEvent('domain.added', domain)
/** It serves its chatbot by TLS: for the first time, or again. */
export const domainActivated = defineEvent('domain.activated', domain)
/** Its checks have been given up until a user starts them again. */
export const domainFailed = defineEvent('domain.failed', domain.extend({ problem: z.string() }))
export const domainCertified = defineEvent('domain.certified', domain)
export const domainRemoved = defineEvent('domain.removed', domain)
