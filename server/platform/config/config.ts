import { isAbsolute, resolve } from 'node:path'
import { z } from 'zod'
import { StartError } from '../database/startError'
import type { ScanSettings } from '../files/scanFile'
import { type AllowedNetwork, parseNetworks } from '../outbound/addresses'
import { parseSecretKeys, type SecretKey } from '../secrets/keys'
import {
  type AiSettings,
  aiVariables,
  type KeyedProvider,
  type ProviderSettings,
  readAiSettings,
  readProviders,
} from './aiSettings'
import { type BackupSettings, backupVariables, readBackupSettings } from './backupSettings'
import { type BillingSettings, billingVariables, readBillingSettings } from './billingSettings'
import { type BucketSettings, bucketVariables, readBucketSettings } from './bucketSettings'
import { type DatabaseTimeouts, databaseVariables, readDatabaseTimeouts } from './databaseSettings'
import { type DomainSettings, domainVariables, readDomainSettings } from './domainSettings'
import { type MailSettings, mailVariables, readMailSettings } from './mailSettings'
import { metricsVariables } from './metricsSettings'
import { readScanSettings, scanVariables } from './scanSettings'
import { traceVariables, wantsTraces } from './traceSettings'
import { parseTrustProxy, type TrustProxy } from './trustProxy'
import { updateVariables } from './updateSettings'
import { readVendorSettings, type VendorSettings, vendorVariables } from './vendorSettings'

export interface Config extends MailSettings, BillingSettings {
  port: number
  host: string
  /** absolute; holds the embedded database and uploaded files */
  dataDir: string
  /** null: the embedded PostgreSQL */
  databaseUrl: string | null
  databaseTimeouts: DatabaseTimeouts
  /** null: this is the only process */
  redisUrl: string | null
  /** where browsers reach this server, without a trailing slash */
  publicUrl: string
  /** a separate origin for visitors' pages and files; null: the builder's origin */
  chatUrl: string | null
  /** the origin from which visitors load uploads: a network that asks this server for them; null: this server's */
  cdnUrl: string | null
  /** trusted proxies, for the caller's address: their number, or their addresses */
  trustProxy: TrustProxy
  /** `closed`: new accounts by invitation only (the first one is created by the setup link either way) */
  registration: 'open' | 'closed'
  /** addresses of accounts that run the installation, besides its first one's; lower case */
  operators: string[]
  /** where finders of weaknesses write, for security.txt: `mailto:` or `https:`; null: there is none */
  securityContact: string | null
  logLevel: (typeof LOG_LEVELS)[number]
  /** conversations that one address may start per minute; 0: no limit */
  chatStartsPerMinute: number
  /** messages that one conversation accepts per minute; 0: no limit */
  chatMessagesPerMinute: number
  /** most bytes of uploads; Infinity: no limit */
  quotas: {
    /** by visitors per hour: from one address, to one chatbot, to one project */
    uploadsPerAddress: number
    uploadsPerChatbot: number
    uploadsPerProject: number
    /** stored by a project, visitors' files and its own */
    filesPerProject: number
  }
  /** bytes that uploads leave free on the disk; null: 5 % of it, at least 1 GB and at most 10 */
  freeSpace: number | null
  /** crawling: ms between two requests to a host, and concurrent requests per host; defaults in hostGate.ts */
  pages?: { pause?: number; atOnce?: number }
  /** private networks that flows may call */
  outboundAllow: AllowedNetwork[]
  /** whether owners may open private networks for their projects' HTTP requests */
  projectNetworks: boolean
  /** whether projects may add embedding models in files, which take this machine's disk and memory */
  localModels: boolean
  /** whether documents may be Office files, books, pages and tables besides PDF (SPEC.md 9) */
  allDocuments: boolean
  /** null: there is no model, and AI blocks use rules only */
  ai: AiSettings | null
  /** providers with a key in the environment, and their addresses */
  providers: Record<KeyedProvider, ProviderSettings>
  /** the first one encrypts, all of them decrypt; empty: a key is created in `dataDir` */
  secretKeys: SecretKey[]
  backup: BackupSettings
  /** null: uploaded files lie in `dataDir` */
  bucket: BucketSettings | null
  /** what looks for viruses in uploads; null: nothing does */
  scan: ScanSettings | null
  /** a program and its words that reads pictures of pages; null: nothing does */
  ocrCommand: readonly string[] | null
  /** what reads `/metrics`; null: calls of this machine do, where browsers are on it too */
  metricsToken: string | null
  /** the address that is asked once a day for the newest version; null: none is */
  updateCheck: string | null
  /** whether spans are sent to a collector of OpenTelemetry */
  traces: boolean
  /** how chatbots' own hosts are reached */
  domains: DomainSettings
  /** how vendors such as Google are reached, and our clients there */
  vendors: VendorSettings
}

const megabytes = z
  .string()
  .refine((text) => /^\d{1,9}$/.test(text), 'give a whole number of megabytes (0 lifts the limit)')

const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const

/** Each variable with its default; the message of its check is the remedy. */
const environment = z.object({
  PORT: z
    .string()
    .default('3000')
    .refine(isPort, 'give a number from 0 to 65535 (0 picks a free one)')
    .transform(Number),
  HOST: z
    .string()
    .default('127.0.0.1')
    .refine(isHost, 'give an IP address or a host name, such as 127.0.0.1 or 0.0.0.0'),
  DATA_DIR: z
    .string()
    .default('data')
    .refine((path) => !path.includes('\0'), 'give the path of a folder')
    .transform((path) => (isAbsolute(path) ? path : resolve(path))),
  DATABASE_URL: z
    .string()
    .refine(
      isDatabaseUrl,
      'give postgresql://user:password@host:5432/database, or leave it out to use the embedded server',
    )
    .optional(),
  REDIS_URL: z
    .string()
    .refine(
      isRedisUrl,
      'give redis://user:password@host:6379, or rediss:// for TLS; leave it out for one process alone',
    )
    .optional(),
  PUBLIC_URL: z
    .string()
    .refine(isWebOrigin, 'give the address that browsers use, such as https://parley.example.com')
    .transform((url) => url.replace(/\/+$/, ''))
    .optional(),
  CHAT_URL: z
    .string()
    .refine(isWebOrigin, 'give a second address of this server for chat pages, such as https://chat.example.com')
    .transform((url) => new URL(url).origin)
    .optional(),
  CDN_URL: z
    .string()
    .refine(isWebOrigin, 'give the address of the network in front of this server, such as https://cdn.example.com')
    .transform((url) => new URL(url).origin)
    .optional(),
  TRUST_PROXY: z
    .string()
    .default('loopback')
    .refine(
      (text) => parseTrustProxy(text) !== null,
      'give the number of proxies (0 to 10), or their addresses, such as loopback, 10.0.0.0/8',
    )
    .transform((text) => parseTrustProxy(text) ?? 0),
  REGISTRATION: z.enum(['open', 'closed'], 'give open or closed').default('closed'),
  OPERATORS: z
    .string()
    .default('')
    .transform((text) =>
      text
        .toLowerCase()
        .split(/[\s,]+/)
        .filter(Boolean),
    )
    .refine(
      (addresses) => addresses.length <= 50 && addresses.every((each) => /^[^@]{1,64}@[^@]{1,255}$/.test(each)),
      'give addresses of accounts with commas between them, such as ops@example.com',
    ),
  SECURITY_CONTACT: z
    .string()
    .refine(isContact, 'give mailto:security@example.com, or the https:// address of a page')
    .optional(),
  LOG_LEVEL: z.enum(LOG_LEVELS, `give one of ${LOG_LEVELS.join(', ')}`).default('warn'),
  CHAT_STARTS_PER_MINUTE: perMinute('120'),
  CHAT_MESSAGES_PER_MINUTE: perMinute('60'),
  UPLOAD_MB_PER_ADDRESS: megabytes.default('250'),
  UPLOAD_MB_PER_CHATBOT: megabytes.default('2000'),
  UPLOAD_MB_PER_PROJECT: megabytes.default('5000'),
  FILES_MB_PER_PROJECT: megabytes.default('20000'),
  FREE_SPACE_MB: megabytes.optional(),
  OUTBOUND_ALLOW: z
    .string()
    .default('')
    .refine(areNetworks, 'give networks or addresses with commas between them, such as 10.0.0.0/8, 192.168.1.20')
    .transform(parseNetworks),
  PROJECT_NETWORKS: z.enum(['allow', 'deny'], 'give allow or deny').optional(),
  DOCUMENTS: z.enum(['all', 'pdf'], 'give all or pdf').optional(),
  LOCAL_MODELS: z.enum(['allow', 'deny'], 'give allow or deny').optional(),
  ...aiVariables,
  ...backupVariables,
  ...traceVariables,
  ...bucketVariables,
  ...billingVariables,
  ...databaseVariables,
  ...domainVariables,
  ...vendorVariables,
  ...mailVariables,
  ...metricsVariables,
  ...scanVariables,
  ...updateVariables,
  OCR_COMMAND: z
    .string()
    .transform((text) => text.trim().split(/\s+/))
    .refine(([program]) => program !== '', 'give a program and its words, such as tesseract - - -l eng+deu')
    .optional(),
  SECRET_KEYS: z.string().default(''),
})

/**
 * Parses the settings from environment variables; an empty variable counts as unset.
 * @throws StartError naming the first invalid variable, its value and the remedy (passwords are removed)
 */
export function parseConfig(env: Record<string, string | undefined>): Config {
  const given = Object.fromEntries(Object.entries(env).filter(([, value]) => value))
  const parsed = environment.safeParse(given)
  if (!parsed.success) {
    const [issue] = parsed.error.issues
    const name = String(issue?.path[0])
    throw new StartError(`${name} is "${withoutPassword(given[name] ?? '')}": ${issue?.message}`)
  }
  const { PORT, HOST, DATA_DIR, DATABASE_URL, PUBLIC_URL, CHAT_URL, REGISTRATION, LOG_LEVEL } = parsed.data
  const publicUrl = PUBLIC_URL ?? localUrl(HOST, PORT)
  if (CHAT_URL && new URL(CHAT_URL).host === new URL(publicUrl).host)
    throw new StartError('CHAT_URL is the address of the builder too: give another host name, or leave it out')
  const bucket = readBucketSettings(parsed.data)
  return {
    port: PORT,
    host: HOST,
    dataDir: DATA_DIR,
    databaseUrl: DATABASE_URL ?? null,
    databaseTimeouts: readDatabaseTimeouts(parsed.data),
    redisUrl: parsed.data.REDIS_URL ?? null,
    publicUrl,
    chatUrl: CHAT_URL ?? null,
    cdnUrl: parsed.data.CDN_URL ?? null,
    trustProxy: parsed.data.TRUST_PROXY,
    registration: REGISTRATION,
    operators: parsed.data.OPERATORS,
    securityContact: parsed.data.SECURITY_CONTACT ?? null,
    logLevel: LOG_LEVEL,
    chatStartsPerMinute: parsed.data.CHAT_STARTS_PER_MINUTE,
    chatMessagesPerMinute: parsed.data.CHAT_MESSAGES_PER_MINUTE,
    quotas: {
      uploadsPerAddress: limitOf(parsed.data.UPLOAD_MB_PER_ADDRESS),
      uploadsPerChatbot: limitOf(parsed.data.UPLOAD_MB_PER_CHATBOT),
      uploadsPerProject: limitOf(parsed.data.UPLOAD_MB_PER_PROJECT),
      filesPerProject: limitOf(parsed.data.FILES_MB_PER_PROJECT),
    },
    freeSpace: parsed.data.FREE_SPACE_MB === undefined ? null : Number(parsed.data.FREE_SPACE_MB) * MB,
    outboundAllow: parsed.data.OUTBOUND_ALLOW,
    // where anybody can become an owner, the operator's network stays closed unless set otherwise
    projectNetworks: (parsed.data.PROJECT_NETWORKS ?? (REGISTRATION === 'open' ? 'deny' : 'allow')) === 'allow',
    localModels: (parsed.data.LOCAL_MODELS ?? (REGISTRATION === 'open' ? 'deny' : 'allow')) === 'allow',
    // SPEC.md's product, run as a service, knows PDF alone
    allDocuments: (parsed.data.DOCUMENTS ?? (REGISTRATION === 'open' ? 'pdf' : 'all')) === 'all',
    ai: readAiSettings(parsed.data),
    providers: readProviders(parsed.data),
    secretKeys: parseSecretKeys(parsed.data.SECRET_KEYS),
    backup: readBackupSettings(parsed.data, bucket),
    bucket,
    scan: readScanSettings(parsed.data),
    ocrCommand: parsed.data.OCR_COMMAND ?? null,
    updateCheck: parsed.data.UPDATE_CHECK ?? null,
    metricsToken: parsed.data.METRICS_TOKEN ?? null,
    traces: wantsTraces(parsed.data),
    domains: readDomainSettings(parsed.data),
    vendors: readVendorSettings(parsed.data),
    ...readMailSettings(parsed.data),
    ...readBillingSettings(parsed.data),
  }
}

const MB = 1_000_000
const limitOf = (megabytes: string): number => Number(megabytes) * MB || Number.POSITIVE_INFINITY

/** @returns the address of a server on `host` and `port` for a browser on this machine */
export function localUrl(host: string, port: number): string {
  const name = host === '0.0.0.0' || host === '::' ? 'localhost' : host
  return `http://${name.includes(':') ? `[${name}]` : name}:${port}`
}

/** @returns the text with the password of an address replaced, for messages and logs */
export function withoutPassword(text: string): string {
  return text.replace(/(\/\/[^:/?#]*):[^@]*@/, '$1:…@')
}

function perMinute(standard: string) {
  return z
    .string()
    .default(standard)
    .refine((text) => /^\d{1,6}$/.test(text), 'give a whole number (0 lifts the limit)')
    .transform(Number)
}

function areNetworks(text: string): boolean {
  try {
    parseNetworks(text)
    return true
  } catch {
    return false
  }
}

function isPort(text: string): boolean {
  return /^\d{1,5}$/.test(text) && Number(text) <= 65_535
}

function isHost(text: string): boolean {
  return /^[A-Za-z0-9.:_-]+$/.test(text)
}

function isDatabaseUrl(text: string): boolean {
  return /^postgres(ql)?:\/\/./.test(text) && URL.canParse(text)
}

/**
 * A path would be a database number, which publish/subscribe ignores; it is allowed, since many addresses contain one.
 */
function isRedisUrl(text: string): boolean {
  if (!/^rediss?:\/\/./.test(text) || !URL.canParse(text)) return false
  const { hostname, pathname, search, hash } = new URL(text)
  return hostname !== '' && /^\/?\d*$/.test(pathname) && !search && !hash
}

function isWebOrigin(text: string): boolean {
  if (!URL.canParse(text)) return false
  const { protocol, pathname, search, hash } = new URL(text)
  return /^https?:$/.test(protocol) && pathname === '/' && !search && !hash
}

function isContact(text: string): boolean {
  return (
    text.length <= 500 && /^(?:mailto:[^@\s]{1,64}@[^@\s]{1,255}|https:\/\/[^\s]+)$/.test(text) && URL.canParse(text)
  )
}
