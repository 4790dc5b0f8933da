import type { CrmObject } from '../../engine/effects/crm'
import { grantOfToken } from '../modules/integrations/connections/filled'
import { describe, isFilterable } from '../modules/integrations/salesforce/fields'
import { instanceHost } from '../modules/integrations/salesforce/host'
import { BASE, objects } from '../modules/integrations/salesforce/objects'
import { createSalesforceCrm } from '../modules/integrations/salesforce/records'
import { salesforce } from '../modules/integrations/salesforce/vendor'
import { connectWith } from './connect'
import { headersLike } from './headers'
import type { VendorCheck } from './vendorCheck'

/** Types of fields of which one is searched by, where an account has it. */
const TYPES = [
  'string',
  'email',
  'phone',
  'url',
  'picklist',
  'boolean',
  'double',
  'int',
  'currency',
  'date',
  'datetime',
]
const values: Readonly<Record<string, string>> = {
  boolean: 'true',
  date: '2026-01-31',
  datetime: '2026-01-31T10:00:00Z',
}
const exampleOf = (type: string): string => values[type] ?? (/double|int|currency/.test(type) ? '1' : 'parley')

/** Salesforce, by the token of a session. */
export const salesforceCheck: VendorCheck = {
  name: 'Salesforce',
  variables: [
    { name: 'SALESFORCE_TOKEN', what: 'a session’s access token (sf org display prints one)', isSecret: true },
    { name: 'SALESFORCE_HOST', what: 'the organisation’s address, such as https://acme.my.salesforce.com' },
  ],
  writes: 'an account, a contact and a case, which are deleted (Salesforce keeps them in its recycle bin for 15 days)',
  async open(means) {
    const settings = means.config.vendors
    const granted = { instance_url: means.value('SALESFORCE_HOST') }
    const host = instanceHost(granted, settings.salesforce.loginUrl)
    const grant = { ...grantOfToken(means.value('SALESFORCE_TOKEN'), host), answer: granted }
    const { call, callAsStranger, account } = await connectWith(means, salesforce, grant)
    const crm = createSalesforceCrm(means)
    const recordsOf = (object: CrmObject) => crm.open({ call, settings, object, account })

    return {
      account: account.name,
      async run({ report, mark, afterwards, ask }) {
        const [contacts, accounts, cases] = [recordsOf('contact'), recordsOf('company'), recordsOf('ticket')]
        const since = means.clock()
        const remove = (object: CrmObject, id: string) =>
          afterwards(`${objects[object].name} ${id}`, () =>
            call({ method: 'DELETE', url: `${BASE}/sobjects/${objects[object].name}/${id}`, kind: 'write' }),
          )
        const made = await report.see('an account is created', 'its ID', async () => {
          const { id } = await accounts.create([{ name: 'Name', value: mark }], [])
          remove('company', id)
          return { seen: id, value: id }
        })
        await report.see('calls of the day, by the answer’s headers', 'how many are used', async () => {
          const { headers } = means.last() ?? { headers: {} }
          const usage = salesforce.usageOf?.(headers)
          const seen = headersLike(means.last(), /limit/i).map((pair) => pair.join(': '))
          return { seen: seen.join(', ') || 'no such header', holds: usage != null }
        })
        if (made) {
          await report.see('a query finds a new account', 'at once', async () => {
            const found = await accounts.find({ by: 'Name', value: mark })
            return { seen: found ? 'at once' : 'not at once', holds: found?.id === made }
          })
          await report.see('a create whose answer got lost is found again', 'that account', async () => {
            const [id] = await accounts.recent([{ name: 'Name', value: mark }], new Date(since.getTime() - 60_000))
            return { seen: String(id), holds: id === made }
          })
          await report.see('its link opens the record', 'yes', async () => {
            const opens = await ask(`Open ${accounts.urlOf(made)} in a browser. Does it show the account?`)
            return { seen: opens === null ? `not asked: ${accounts.urlOf(made)}` : opens ? 'yes' : 'no', holds: opens }
          })
        }
        const contact = await report.see('a contact is created, linked to the account', 'its ID', async () => {
          const fields = [
            { name: 'LastName', value: mark },
            { name: 'Email', value: `${mark}@example.com` },
          ]
          const { id } = await contacts.create(fields, made ? [{ object: 'company', id: made }] : [])
          remove('contact', id)
          return { seen: id, value: id }
        })
        await report.see('a contact is changed, and read', 'what was written', async () => {
          if (contact) await contacts.update(contact, [{ name: 'Title', value: 'Checked' }], [])
          const found = await contacts.find({ by: 'Email', value: `${mark}@example.com` }, ['Title'])
          return { seen: JSON.stringify(found?.properties), holds: found?.properties.Title === 'Checked' }
        })
        await report.see('a case is created, linked to the contact', 'its ID', async () => {
          const links = contact ? ([{ object: 'contact', id: contact }] as const) : []
          const { id } = await cases.create([{ name: 'Subject', value: mark }], links)
          remove('ticket', id)
          return { seen: id }
        })
        await report.see('fields that can be searched by, one of each type', 'all of them', async () => {
          const { fields } = await describe(call, objects.contact.name)
          const tried: string[] = []
          for (const type of TYPES) {
            const field = fields.find((one) => one.type === type && isFilterable(one))
            if (!field) continue
            const problem = await contacts.find({ by: field.name, value: exampleOf(type) }).then(
              () => null,
              (error: unknown) => String(error),
            )
            tried.push(problem === null ? type : `${type} (${field.name}) NOT: ${problem}`)
          }
          return { seen: tried.join(', '), holds: !tried.some((one) => one.includes(' NOT: ')) }
        })
        await report.refused('a field that a new account needs is missing', 'field_required', () =>
          call({ method: 'POST', url: `${BASE}/sobjects/Account`, json: { Description: mark }, kind: 'write' }),
        )
        await report.refused('a field that does not exist', 'field_missing', () =>
          call({ method: 'POST', url: `${BASE}/sobjects/Account`, json: { Name: mark, Nope__c: 'x' }, kind: 'write' }),
        )
        await report.see('a contact that is not there', 'none', async () => {
          const found = await contacts.find({ by: 'Email', value: `nobody-${mark}@example.com` })
          return { seen: found ? found.id : 'none', holds: found === null }
        })
        await report.refused('a token that is none', 'reconnect', () => salesforce.check(callAsStranger, settings))
      },
    }
  },
}
