import { z } from 'zod'
import { defineRoute, gid, ok } from './route'

/** Who provides TLS for custom domains: a proxy before Parley, Parley itself (ACME), or uploaded certificates. */
export const tlsModes = ['proxy', 'builtin', 'manual'] as const
export type TlsMode = (typeof tlsModes)[number]

export const domainStatuses = ['pending_ownership', 'pending_dns', 'issuing', 'active', 'renewing', 'failed'] as const
export type DomainStatus = (typeof domainStatuses)[number]

/** Problems of a domain; the interface has a text and a remedy for each. */
export const domainProblems = [
  // the TXT record
  'txt_missing',
  'txt_wrong',
  'dns_failed',
  // where the host points to
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
  // checks were given up
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
  /** SPEC.md 3 lists these six */
  id: gid,
  hostname: z.string(),
  /** `apex`: the registered domain itself, which can have no CNAME record */
  type: z.enum(['subdomain', 'apex']),
  status: z.enum(domainStatuses),
  /** the TXT record that proves ownership */
  ownership_verification: verificationSchema,
  /** the record that points the host here, which TLS requires */
  ssl_verification: verificationSchema,
  problem: z.strictObject({ code: z.enum(domainProblems), detail: z.string() }).nullable(),
  /** a requested check is not done yet */
  checking: z.boolean(),
  checked_at: z.string().nullable(),
  expires_at: z.string().nullable(),
  /** a certificate is stored here: Parley's own or an uploaded one */
  certified: z.boolean(),
})
export type Domain = z.infer<typeof domainSchema>

const inChatbot = z.strictObject({ pgid: gid, cgid: gid })
const path = '/api/projects/:pgid/chatbots/:cgid/domain'
const answer = z.strictObject({
  domain: domainSchema.nullable(),
  mode: z.enum(tlsModes),
  /** the plan includes custom domains, and the project may add another (SPEC.md 4) */
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
/** Starts a check of records and certificate in a job; the response says that it is in progress. */
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
/** From then on the host is not served; its certificate is deleted. */
export const removeDomain = defineRoute({
  method: 'DELETE',
  path,
  access: { feature: 'custom_domain.delete' },
  params: inChatbot,
  answer: ok,
})

/** A proxy asks this before it orders a certificate: 200 or 404. Only for this machine and trusted proxies. */
export const tlsAllowed = defineRoute({
  method: 'GET',
  path: '/internal/tls-allowed',
  access: 'public',
  query: z.strictObject({ domain: z.string().max(500) }),
  answer: ok,
})
const token = z.strictObject({ token: z.string().regex(/^[A-Za-z0-9_-]{16,200}$/) })
/** A certificate authority requests this from a host (RFC 8555, 8.3). */
export const acmeChallenge = defineRoute({
  method: 'GET',
  path: '/.well-known/acme-challenge/:token',
  access: 'public',
  params: token,
  answer: z.unknown(),
})
/** Parley requests this from a host, to check that it points here. */
export const reachToken = defineRoute({
  method: 'GET',
  path: '/.well-known/parley-domain/:token',
  access: 'public',
  params: token,
  answer: z.unknown(),
})
