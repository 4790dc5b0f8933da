import { z } from 'zod'
import { joinings } from '../../contracts/signOn'
import { defineEvent } from '../../platform/events/defineEvent'

const issuer = z.strictObject({ issuer: z.string() })
const domain = z.strictObject({ domain: z.string() })

/** The provider was set up or changed: with all that decides who comes in, and how. */
export const signOnChanged = defineEvent(
  'sign_on.changed',
  z.strictObject({
    ...{ issuer: z.string(), clientId: z.string(), defaultRole: z.int(), roleClaim: z.string() },
    roleMap: z.array(z.strictObject({ value: z.string(), role: z.int() })),
  }),
)
/** Whether people who make an account are asked to come in by the provider, or have to. */
export const signOnJoiningChanged = defineEvent(
  'sign_on.joining_changed',
  z.strictObject({ joining: z.enum(joinings) }),
)
export const signOnRemoved = defineEvent('sign_on.removed', issuer)
export const signOnDomainAdded = defineEvent('sign_on.domain_added', domain)
export const signOnDomainProven = defineEvent('sign_on.domain_proven', domain)
/** The record of a proven domain was missing for a week. */
export const signOnDomainLost = defineEvent('sign_on.domain_lost', domain)
export const signOnDomainRemoved = defineEvent('sign_on.domain_removed', domain)
const user = z.strictObject({ user: z.string() })
/** The directory's token was made, or made anew. */
export const scimTokenCreated = defineEvent('sign_on.directory_connected', z.strictObject({}))
export const scimTokenDeleted = defineEvent('sign_on.directory_disconnected', z.strictObject({}))
/** The directory told of a person. */
export const personProvisioned = defineEvent('sign_on.person_provisioned', user)
/** The directory took a person away: from the project, and the sessions that its provider opened. */
export const personDeprovisioned = defineEvent('sign_on.person_deprovisioned', user)
/** The directory's groups gave a member other roles. */
export const personRolesChanged = defineEvent(
  'sign_on.person_roles_changed',
  z.strictObject({ user: z.string(), roles: z.array(z.int()), before: z.array(z.int()) }),
)
/** A group of the directory, and how many people are in it. */
const group = z.strictObject({ name: z.string(), people: z.int() })
export const groupAdded = defineEvent('sign_on.group_added', group)
export const groupChanged = defineEvent('sign_on.group_changed', group)
export const groupRemoved = defineEvent('sign_on.group_removed', group)
/** A person came by the provider. */
export const signedOn = defineEvent('sign_on.person_entered', user)
