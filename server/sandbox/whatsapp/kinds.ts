import { Refusal } from '../call'
import type { RecordKind } from '../pages/records'
import { graphError } from './errors'
import type { Phones } from './phones'
import type { WhatsappState } from './state'

const STATUSES = ['APPROVED', 'PENDING', 'REJECTED', 'PAUSED'] as const
const QUALITIES = ['UNKNOWN', 'GREEN', 'YELLOW', 'RED'] as const
/** The most phones of a sandbox. */
const MOST_PHONES = 200

const invalid = (message: string) => new Refusal(graphError(400, 100, message))

/** @returns a page of phones, one of templates, and one of what connects Parley with the business */
export const whatsappKinds = (state: WhatsappState, phones: Phones): RecordKind[] => [
  {
    key: 'phones',
    title: 'Phones',
    columns: [
      { name: 'name', label: 'Name' },
      { name: 'number', label: 'Number with the country code; empty: the person hides it' },
      { name: 'page', label: 'The phone', isFixed: true },
    ],
    empty: 'There is no phone yet.',
    rows: () =>
      state.phones.map(({ userId, name, number }, at) => ({
        id: userId,
        values: { name, number: number ?? '', page: `${state.origin()}/phones/${at + 1}` },
      })),
    add({ name = '', number = '' }) {
      const digits = number.replace(/[\s+-]/g, '')
      if (name.trim() === '') throw invalid('Give the person a name.')
      if (digits !== '' && !/^\d{6,15}$/.test(digits))
        throw invalid(`“${number}” is no number: give 6 to 15 digits with the country code, or none.`)
      if (digits !== '' && state.phones.some((phone) => phone.number === digits))
        throw invalid(`${number} is the number of another phone.`)
      if (state.phones.length >= MOST_PHONES) throw invalid(`There are ${MOST_PHONES} phones already.`)
      phones.add(name.trim().slice(0, 100), digits === '' ? null : digits)
    },
  },
  {
    key: 'templates',
    title: 'Templates',
    columns: [
      { name: 'name', label: 'Name', isFixed: true },
      { name: 'language', label: 'Language', isFixed: true },
      { name: 'category', label: 'Category', isFixed: true },
      { name: 'status', label: 'Status', options: STATUSES },
      { name: 'quality', label: 'Quality', options: QUALITIES },
    ],
    empty: 'There is no template yet. Parley submits some in its settings of WhatsApp.',
    rows: () =>
      state.templates.map(({ id, name, language, category, status, quality }) => ({
        id,
        values: { name, language, category, status, quality },
      })),
    change(id, { status, quality }) {
      const template = state.templates.find((each) => each.id === id)
      if (!template) return
      const [found, score] = [STATUSES.find((each) => each === status), QUALITIES.find((each) => each === quality)]
      phones.judge(template, { status: found ?? template.status, quality: score ?? template.quality })
    },
  },
  {
    key: 'account',
    title: 'Account',
    columns: [
      { name: 'what', label: 'What Parley asks for', isFixed: true },
      { name: 'value', label: 'Value', isFixed: true },
    ],
    empty: '',
    rows: () =>
      [
        ['App ID', state.appId],
        ['App secret', state.appSecret],
        ['Business account ID', state.businessId],
        ...state.numbers.map(({ name, id }) => [`Phone number ID of ${name}`, id]),
        ['Access token', state.token],
      ].map(([what = '', value = '']) => ({ id: what, values: { what, value } })),
  },
]
