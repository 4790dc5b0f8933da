import { z } from 'zod'
import { defineRoute, gid, ok } from './route'

/** How chatbots' own hosts get TLS: by a proxy before Parley, by Parley itself (ACME), by certificates that people upload. */
export const tlsModes = ['proxy', 'builtin', 'manual'] as const
export type TlsMode = (typeof tlsModes)[number]

export const domainStatuses = ['pending_ownership', 'pending_dns', 'issuing', 'active', 'renewing', 'failed'] as const
export type DomainStatus = (typeof domainStatuses)[number]

/** What is wrong with a domain; the interface has a text and a remedy for each. */
export const domainProblems = [
  // the TXT record
  'txt_missing',
  'txt_wrong',
  'dns_failed',
  // whether the host leads here
  'dns_missing',
  'private_address',
  'not_reached',
  'wrong_server',
  // TLS
  'tls_missing',
  'certificate_missing',
  'certificate_expired',
  'ca_dns',
  'ca_connection',
  'ca_unauthorized',
  'ca_caa',
  'ca_rate_limited',
  'ca_rejected',
  'ca_failed',
  // it was waited for in vain
  'gave_up',
] as const
export type DomainProblem = (typeof domainProblems)[number]

/** SPEC.md 3: each has name, type, value and status. */
export const verificationSchema = z.strictObject({
  name: z.string(),
  type: z.string(),
  value: z.string(),
  status: z.enum(['pending', 'active', 'failed']),
})

export const domainSchema = z.strictObject({
  /** SPEC.md 3 names these six */
  id: gid,
  hostname: z.string(),
  /** `apex`: the registered domain itself, which can have no CNAME record */
  type: z.enum(['subdomain', 'apex']),
  status: z.enum(domainStatuses),
  /** the TXT record that proves whose the domain is */
  ownership_verification: verificationSchema,
  /** the record that leads the host here, without which it has no TLS */
  ssl_verification: verificationSchema,
  problem: z.strictObject({ code: z.enum(domainProblems), detail: z.string() }).nullable(),
  /** a check was asked for and is not done */
  checking: z.boolean(),
  checked_at: z.string().nullable(),
  expires_at: z.string().nullable(),
  /** a certificate lies here: Parley's own or one that was uploaded */
  certified: z.boolean(),
})
export type Domain = z.infer<typeof domainSchema>

const inChatbot = z.strictObject({ pgid: gid, cgid: gid })
const path = '/api/projects/:pgid/chatbots/:cgid/domain'
const answer = z.strictObject({
  domain: domainSchema.nullable(),
  mode: z.enum(tlsModes),
  /** the plan has custom domains, and the project may have one more (SPEC.md 4) */
  in_plan: z.boolean(),
  limit_reached: z.boolean(),
})
export type DomainView = z.infer<typeof answer>

export const readDomain = defineRoute({
  method: 'GET',
  path,
  access: { feature: 'custom_domain.view' },
  params: inChatbot,
  answer,
})
export const addDomain = defineRoute({
  method: 'POST',
  path,
  access: { feature: 'custom_domain.update' },
  plan: 'custom_domain',
  limit: { by: 'user', most: 40 },
  params: inChatbot,
  body: z.strictObject({ hostname: z.string().max(500) }),
  answer,
})
/** Looks at records and certificate now, by a job: the answer says that it is under way. */
export const checkDomain = defineRoute({
  method: 'POST',
  path: `${path}/check`,
  access: { feature: 'custom_domain.update' },
  limit: { by: 'user', most: 40 },
  params: inChatbot,
  answer,
})
/** PEM. For `TLS_MODE=manual`. */
export const uploadCertificate = defineRoute({
  method: 'POST',
  path: `${path}/certificate`,
  access: { feature: 'custom_domain.update' },
  limit: { by: 'user', most: 40 },
  params: inChatbot,
  body: z.strictObject({
    certificate: z.string().max(65_536, 'This is too large.'),
    key: z.string().max(16_384, 'This is too large.'),
  }),
  answer,
})
/** It serves nothing from then on, and its certificate is gone. */
export const removeDomain = defineRoute({
  method: 'DELETE',
  path,
  access: { feature: 'custom_domain.delete' },
  params: inChatbot,
  answer: ok,
})

/** What a proxy asks before it orders a certificate: 200 or 404. For callers on this machine and proxies that are trusted alone. */
export const tlsAllowed = defineRoute({
  method: 'GET',
  path: '/internal/tls-allowed',
  access: 'public',
  query: z.strictObject({ domain: z.string().max(500) }),
  answer: ok,
})
const token = z.strictObject({ token: z.string().regex(/^[A-Za-z0-9_-]{16,200}$/) })
/** What a certificate authority asks a host for (RFC 8555, 8.3). */
export const acmeChallenge = defineRoute({
  method: 'GET',
  path: '/.well-known/acme-challenge/:token',
  access: 'public',
  params: token,
  answer: z.unknown(),
})
/** What Parley asks a host for, to see that it leads here. */
export const reachToken = defineRoute({
  method: 'GET',
  path: '/.well-known/parley-domain/:token',
  access: 'public',
  params: token,
  answer: z.unknown(),
})
