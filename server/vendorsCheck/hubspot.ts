import type { CrmObject } from '../../engine/effects/crm'
import type { CrmRecords } from '../modules/integrations/crm/crm'
import { objects, VERSION } from '../modules/integrations/hubspot/objects'
import { hubspotCrm } from '../modules/integrations/hubspot/records'
import { hubspot } from '../modules/integrations/hubspot/vendor'
import { connectByHand } from './connect'
import { headersLike } from './headers'
import { searchedUntilFound } from './searchedUntilFound'
import type { VendorCheck } from './vendorCheck'

/** HubSpot, by a private app's token. */
export const hubspotCheck: VendorCheck = {
  name: 'HubSpot',
  variables: [
    { name: 'HUBSPOT_TOKEN', what: 'a private app’s token', isSecret: true },
    { name: 'HUBSPOT_ACCOUNT', what: 'the account’s number, which is in the address of its pages' },
  ],
  writes: 'a contact, a company and a ticket, which are deleted (HubSpot keeps them in its recycle bin for 90 days)',
  async open(means) {
    const filled = { account: means.value('HUBSPOT_ACCOUNT'), token: means.value('HUBSPOT_TOKEN') }
    const { call, callAsStranger, account } = await connectByHand(means, hubspot, filled)
    const settings = means.config.vendors
    const recordsOf = (object: CrmObject): CrmRecords => hubspotCrm.open({ call, settings, object, account })

    return {
      account: account.name,
      async run({ report, mark, afterwards, ask }) {
        const [contacts, companies, tickets] = [recordsOf('contact'), recordsOf('company'), recordsOf('ticket')]
        const email = `${mark}@example.com`
        // HubSpot's clock may be another
        const since = new Date(means.clock().getTime() - 60_000)
        const remove = (object: CrmObject, id: string) => {
          const url = `${settings.hubspot.apiUrl}/crm/objects/${VERSION}/${objects[object].path}/${id}`
          afterwards(`${object} ${id}`, () => call({ method: 'DELETE', url, kind: 'write', isRepeatable: true }))
        }
        const made = await report.see('a company is created', 'its number', async () => {
          const { id } = await companies.create([{ name: 'name', value: mark }], [])
          remove('company', id)
          return { seen: id, holds: /^\d+$/.test(id), value: { id } }
        })
        await report.see('limits, by the answer’s headers', '100 calls in 10 s or more', async () => {
          const headers = headersLike(means.last(), /ratelimit/i)
          const most = Number(headers.find(([name]) => name === 'x-hubspot-ratelimit-max')?.[1])
          return { seen: headers.map((pair) => pair.join(': ')).join(', ') || 'none', holds: !(most < 100) }
        })
        if (made) {
          await report.see('search finds a new company', 'within 15 s', () =>
            searchedUntilFound(means, async () => (await companies.find({ by: 'name', value: mark }))?.id === made.id),
          )
          await report.see('a create whose answer got lost is found again', 'that company', async () => {
            const [id] = await companies.recent([{ name: 'name', value: mark }], since)
            return { seen: String(id), holds: id === made.id }
          })
          await report.see('its link opens the record', 'yes', async () => {
            const url = companies.urlOf(made.id)
            const opens = await ask(`Open ${url} in a browser. Does it show the company?`)
            return { seen: opens === null ? `not asked: ${url}` : opens ? 'yes' : `no: ${url}`, holds: opens }
          })
        }
        const contact = await report.see('a contact is created', 'its number', async () => {
          const { id } = await contacts.create(
            [
              { name: 'email', value: email },
              { name: 'firstname', value: 'Parley' },
            ],
            made ? [{ object: 'company', id: made.id }] : [],
          )
          remove('contact', id)
          return { seen: id, value: id }
        })
        await report.see('a contact is found by its email at once', 'that contact', async () => {
          const found = await contacts.find({ by: 'email', value: email.toUpperCase() })
          return { seen: String(found?.id), holds: found?.id === contact }
        })
        await report.see('a second contact of an email is refused', 'and the text names the first', async () => {
          const existing = await contacts.create([{ name: 'email', value: email }], []).then(
            ({ id }) => {
              remove('contact', id)
              return null
            },
            (error: unknown) => contacts.existing(error) ?? Promise.reject(error),
          )
          return { seen: existing ?? 'a second one was created', holds: existing === contact }
        })
        await report.see('a contact is changed', 'its number', async () => {
          const changed = contact ? await contacts.update(contact, [{ name: 'city', value: 'Bonn' }], []) : null
          return { seen: String(changed?.id), holds: Boolean(changed) }
        })
        await report.see('a contact that is not there', 'none', async () => {
          const found = await contacts.find({ by: 'email', value: `nobody-${email}` })
          return { seen: found ? found.id : 'none', holds: found === null }
        })
        await report.see('a ticket is created, linked to the contact', 'its number', async () => {
          const stages = await hubspot.choices.properties?.(call, { settings, within: ['ticket'], search: '' })
          const stage = stages?.find(({ id }) => id === 'hs_pipeline_stage')?.detail?.split(/[ ,(]/)[0] ?? ''
          const { id } = await tickets.create(
            [
              { name: 'subject', value: mark },
              { name: 'hs_pipeline_stage', value: stage },
            ],
            contact ? [{ object: 'contact', id: contact }] : [],
          )
          remove('ticket', id)
          return { seen: id }
        })
        await report.refused('a property that does not exist', 'refused', () =>
          companies.create([{ name: 'parley_no_such_property', value: mark }], []),
        )
        await report.refused('a token that is none', 'reconnect', () => hubspot.check(callAsStranger, settings))
      },
    }
  },
}
