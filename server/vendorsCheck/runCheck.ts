import { randomBytes } from 'node:crypto'
import type { Wait } from '../modules/integrations/calls/pace'
import { createVendorFetch, type VendorAnswer, type VendorFetch } from '../modules/integrations/calls/vendorFetch'
import { parseConfig } from '../platform/config/config'
import { createReport, type Finding } from './report'
import type { VendorCheck } from './vendorCheck'

/** What a check is run with. */
export interface Around {
  env: Readonly<Record<string, string | undefined>>
  clock: () => Date
  wait: Wait
  /** lines for the person */
  say: (line: string) => void
  /** Asks the person; null: nobody is there. */
  ask: (question: string) => Promise<boolean | null>
  /** whether it was agreed beforehand that it writes */
  isAgreed: boolean
}

/** A variable that is missing, or a check that was not agreed to: nothing was written. */
export class CheckRefused extends Error {
  override readonly name = 'CheckRefused'
}

/** Most characters of a cell of the table. */
const CELL = 200

/**
 * Runs a check: connects, asks whether it may write, looks, takes away what it made, and prints a table.
 * @returns what was seen, without secrets
 * @throws CheckRefused, VendorError if the account can't be reached
 */
export async function runCheck(check: VendorCheck, around: Around): Promise<Finding[]> {
  const { env, clock, wait, say } = around
  const missing = check.variables.filter(({ name, isOptional }) => !isOptional && !env[name])
  if (missing.length > 0)
    throw new CheckRefused(
      [`${check.name} needs these variables:`, ...missing.map(({ name, what }) => `  ${name}: ${what}`)].join('\n'),
    )
  const secrets = check.variables.flatMap(({ name, isSecret }) => (isSecret && env[name] ? [env[name]] : []))
  const withoutSecrets = (text: string): string =>
    secrets.reduce((hidden, secret) => hidden.replaceAll(secret, '…'), text)

  // variables of other things, such as a database, are none of a check's business
  const config = parseConfig(Object.fromEntries(Object.entries(env).filter(([name]) => !OTHERS.test(name))))
  const { fetch, last } = noting(createVendorFetch({ config }))
  const value = (name: string): string => env[name] ?? ''
  const hide = (secret: string) => void secrets.push(secret)
  const { account, run } = await check.open({ value, config, clock, wait, fetch, last, hide })

  say(`${check.name}: ${withoutSecrets(account)}`)
  say(`This writes to the account: ${check.writes}.`)
  if (!around.isAgreed && (await around.ask('Go on?')) !== true)
    throw new CheckRefused('Nothing was written. Agree, or give --yes where nobody can be asked.')

  const report = createReport(() => JSON.stringify(last()?.body ?? null))
  const undone: { what: string; undo: () => Promise<unknown> }[] = []
  try {
    await run({
      report,
      mark: `parley-check-${randomBytes(4).toString('hex')}`,
      afterwards: (what, undo) => void undone.unshift({ what, undo }),
      ask: around.ask,
    })
  } finally {
    for (const { what, undo } of undone)
      await report.see(`taken away: ${what}`, 'yes', async () => {
        await undo()
        return { seen: 'yes' }
      })
  }
  const findings = report.findings.map(({ what, expected, seen, holds }) => ({
    what: withoutSecrets(what),
    expected,
    seen: shorten(withoutSecrets(seen)),
    holds,
  }))
  for (const line of tableOf(findings)) say(line)
  return findings
}

const OTHERS = /^(DATABASE_URL|REDIS_URL|DATA_DIR|SMTP_URL|PUBLIC_URL|CHAT_URL)$/

const shorten = (text: string): string => {
  const line = text.replace(/\s+/g, ' ').trim()
  return line.length > CELL ? `${line.slice(0, CELL)}…` : line
}

/** Keeps the last answer, whose headers and words the product has no use for. */
function noting(fetch: VendorFetch): { fetch: VendorFetch; last: () => VendorAnswer | null } {
  let last: VendorAnswer | null = null
  return {
    last: () => last,
    async fetch(vendor, request) {
      last = null
      last = await fetch(vendor, request)
      return last
    },
  }
}

function tableOf(findings: readonly Finding[]): string[] {
  const rows = [
    ['', 'looked at', 'expected', 'seen'],
    ...findings.map(({ what, expected, seen, holds }) => [
      holds === null ? ' ' : holds ? '✓' : '✗',
      what,
      expected,
      seen,
    ]),
  ]
  const widths = [0, 1, 2].map((column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)))
  return rows.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd(),
  )
}
