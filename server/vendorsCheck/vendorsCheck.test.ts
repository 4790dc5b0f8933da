import { expect, test } from 'vitest'
import { createTestClock } from '../../tests/support/clock'
import { calendlyContract } from '../../tests/support/vendors/calendly/startCalendly'
import { readGoogleContract } from '../../tests/support/vendors/google/startGoogle'
import { hubspotContract } from '../../tests/support/vendors/hubspot/startHubspot'
import { salesforceContract } from '../../tests/support/vendors/salesforce/startSalesforce'
import { sendgridContract } from '../../tests/support/vendors/sendgrid/startSendgrid'
import { zendeskContract } from '../../tests/support/vendors/zendesk/startZendesk'
import type { Fault } from '../sandbox/faults'
import type { ContractWatch } from '../sandbox/standIn'
import { type CheckName, checks } from './checks'
import { runCheck } from './runCheck'
import { standIns } from './standIns'
import type { VendorCheck } from './vendorCheck'

const contracts: Record<CheckName, () => ContractWatch | undefined | null> = {
  hubspot: hubspotContract,
  'google-sheets': readGoogleContract,
  salesforce: salesforceContract,
  zendesk: zendeskContract,
  calendly: calendlyContract,
  sendgrid: sendgridContract,
}
const names = Object.keys(checks) as CheckName[]

/** Runs a check against its stand-in, whose both sides are checked by the contract. */
async function run(name: CheckName, { faults = [], agrees = true }: { faults?: Fault[]; agrees?: boolean } = {}) {
  const clock = createTestClock('2026-11-24T10:00:00Z')
  const contract = contracts[name]()
  const { standIn, env } = await standIns[name]({ clock, ...(contract && { contract }) })
  for (const fault of faults) standIn.fail(fault)
  const said: string[] = []
  try {
    const findings = await runCheck(checks[name], {
      env,
      clock,
      wait: async (ms) => clock.pass(ms / 1_000),
      say: (line) => said.push(line),
      ask: async (question) => (question === 'Go on?' ? agrees : true),
      isAgreed: false,
    }).catch((error: Error) => error.message)
    return { findings, said: said.join('\n'), env, calls: standIn.calls, broken: standIn.broken }
  } finally {
    await standIn.close()
  }
}

/** Calls that change something at the vendor. */
const isWrite = ({ method, path }: { method: string; path: string }) =>
  method !== 'GET' && !/\/(token|tokens|search|introspect)$/.test(path)

test.each(names)('%s: finds at the stand-in what our code expects, tells no secret, and cleans up', async (name) => {
  const { findings, said, env, broken } = await run(name)
  expect(broken).toEqual([])
  if (typeof findings === 'string') throw new Error(findings)
  expect(findings.filter(({ holds }) => holds === false)).toEqual([])
  expect(findings.length).toBeGreaterThan(2)
  for (const { name: variable, isSecret } of checks[name].variables)
    if (isSecret) expect(said).not.toContain(env[variable])
  const made = findings.filter(({ what }) => / (is|are) (created|booked|added)/.test(what)).length
  expect(findings.filter(({ what }) => what.startsWith('taken away')).length > 0).toBe(made > 0)
})

test.each(names)('%s: writes nothing unless the person agrees', async (name) => {
  const { findings, calls } = await run(name, { agrees: false })
  expect(findings).toContain('Nothing was written')
  expect(calls.filter(isWrite)).toEqual([])
})

test('what a vendor does otherwise is shown, and what was made is taken away all the same', async () => {
  const { findings, said, calls } = await run('hubspot', {
    faults: [{ on: 'GET *contacts/PARLEY*', with: 'forbidden' }],
  })
  if (typeof findings === 'string') throw new Error(findings)
  expect(findings.filter(({ holds }) => holds === false)).toMatchObject([
    { what: 'a contact is found by its email at once', seen: expect.stringContaining('permission') },
  ])
  expect(said).toMatch(/✗ +a contact is found by its email at once/)
  expect(calls.filter(({ method }) => method === 'DELETE').map(({ status }) => status)).toEqual([204, 204, 204])
})

test('variables that are missing are named, with what they are', async () => {
  const around = { env: { HUBSPOT_ACCOUNT: '1' }, clock: () => new Date(), wait: async () => {}, isAgreed: true }
  const work = runCheck(checks.hubspot, { ...around, say: () => {}, ask: async () => null })
  await expect(work).rejects.toThrow('HUBSPOT_TOKEN: a private app’s token')
})

test('a secret that comes up is not printed', async () => {
  const said: string[] = []
  const check: VendorCheck = {
    name: 'Acme',
    variables: [{ name: 'KEY', what: 'a key', isSecret: true }],
    writes: 'nothing',
    open: async ({ value, hide }) => {
      hide('token-got-with-it')
      const told = `${value('KEY')} token-got-with-it`
      const run: Awaited<ReturnType<VendorCheck['open']>>['run'] = async ({ report }) =>
        void (await report.see(told, '', async () => ({ seen: told })))
      return { account: told, run }
    },
  }
  const around = { env: { KEY: 'key-of-acme' }, clock: () => new Date(), wait: async () => {}, isAgreed: true }
  const findings = await runCheck(check, { ...around, say: (line) => said.push(line), ask: async () => null })
  expect(`${JSON.stringify(findings)} ${said.join('\n')}`).not.toMatch(/key-of-acme|token-got/)
})
