import { isAbsolute, resolve } from 'node:path'
import { z } from 'zod'
import { StartError } from './storage/startError'

export interface Config {
  port: number
  host: string
  /** absolute; holds the embedded database and uploaded files */
  dataDir: string
  /** null: the embedded PostgreSQL */
  databaseUrl: string | null
  /** where browsers reach this server, without a slash at the end */
  publicUrl: string
  /** `closed`: new accounts are refused (the first one takes the setup link either way) */
  registration: 'open' | 'closed'
  logLevel: (typeof LOG_LEVELS)[number]
  /** conversations that one address may start in a minute; 0: as many as it likes */
  chatStartsPerMinute: number
  /** messages that one conversation takes in a minute; 0: as many as come */
  chatMessagesPerMinute: number
}

const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const

/** Each variable with its default and, as the message of its check, the remedy. */
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
  PUBLIC_URL: z
    .string()
    .refine(isWebOrigin, 'give the address that browsers use, such as https://parley.example.com')
    .transform((url) => url.replace(/\/+$/, ''))
    .optional(),
  REGISTRATION: z.enum(['open', 'closed'], 'give open or closed').default('open'),
  LOG_LEVEL: z.enum(LOG_LEVELS, `give one of ${LOG_LEVELS.join(', ')}`).default('warn'),
  CHAT_STARTS_PER_MINUTE: perMinute('120'),
  CHAT_MESSAGES_PER_MINUTE: perMinute('60'),
})

/**
 * Reads the settings from environment variables; an empty variable counts as one that isn't set.
 * @throws StartError naming the first wrong variable, its value and the remedy (passwords are left out)
 */
export function parseConfig(env: Record<string, string | undefined>): Config {
  const given = Object.fromEntries(Object.entries(env).filter(([, value]) => value !== undefined && value !== ''))
  const parsed = environment.safeParse(given)
  if (!parsed.success) {
    const [issue] = parsed.error.issues
    const name = String(issue?.path[0])
    throw new StartError(`${name} is "${withoutPassword(given[name] ?? '')}": ${issue?.message}`)
  }
  const { PORT, HOST, DATA_DIR, DATABASE_URL, PUBLIC_URL, REGISTRATION, LOG_LEVEL } = parsed.data
  return {
    port: PORT,
    host: HOST,
    dataDir: DATA_DIR,
    databaseUrl: DATABASE_URL ?? null,
    publicUrl: PUBLIC_URL ?? localUrl(HOST, PORT),
    registration: REGISTRATION,
    logLevel: LOG_LEVEL,
    chatStartsPerMinute: parsed.data.CHAT_STARTS_PER_MINUTE,
    chatMessagesPerMinute: parsed.data.CHAT_MESSAGES_PER_MINUTE,
  }
}

/** @returns the address at which a browser on this machine reaches a server that listens on `host` and `port` */
export function localUrl(host: string, port: number): string {
  const name = host === '0.0.0.0' || host === '::' ? 'localhost' : host
  return `http://${name.includes(':') ? `[${name}]` : name}:${port}`
}

/** @returns the text with the password of an address in it replaced, for messages and logs */
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

function isPort(text: string): boolean {
  return /^\d{1,5}$/.test(text) && Number(text) <= 65_535
}

function isHost(text: string): boolean {
  return /^[A-Za-z0-9.:_-]+$/.test(text)
}

function isDatabaseUrl(text: string): boolean {
  return /^postgres(ql)?:\/\/./.test(text) && URL.canParse(text)
}

function isWebOrigin(text: string): boolean {
  if (!URL.canParse(text)) return false
  const { protocol, pathname, search, hash } = new URL(text)
  return /^https?:$/.test(protocol) && pathname === '/' && !search && !hash
}
