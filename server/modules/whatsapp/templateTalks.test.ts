import { afterAll, beforeAll, expect, test } from 'vitest'
import { registry } from '../../../blocks/registry'
import { emptyFlow, type Flow } from '../../../engine/flow/schema'
import { staticValue } from '../../../engine/values/dynamicValue'
import { plainRichText } from '../../../engine/values/richText'
import { startPhoneTalks } from '../../../tests/support/vendors/whatsapp/phoneTalk'
import { listTemplates } from '../../contracts/templates'

/** Templates of chatbots, talked to on a phone until they end: all of them in the full run, else two. */
const SOME = ['nps-survey', 'order-from-sheet']
/** How many there are at least. */
const TEMPLATES = 15
/** for all of them one after the other, in ms */
const PATIENCE = 600_000

let talks: Awaited<ReturnType<typeof startPhoneTalks>>
beforeAll(async () => {
  talks = await startPhoneTalks()
})
afterAll(() => talks.close())

test('templates come to their end on a phone, with an answer to everything that asks for one', {
  timeout: PATIENCE,
}, async () => {
  const { templates } = await talks.ada.call(listTemplates)
  const slugs = templates.map(({ slug }) => slug)
  expect(slugs).toEqual(expect.arrayContaining(SOME))
  expect(new Set(slugs).size).toBeGreaterThanOrEqual(TEMPLATES)
  for (const slug of process.env.FULL === undefined ? SOME : slugs) {
    const { end, problems } = await talks.with({ template: slug })
    expect([slug, problems, end]).toEqual([slug, [], expect.stringMatching(/^(ended|team)$/)])
  }
})

const block = (id: string, kind: string, data: object) => ({
  ...{ id, kind, version: registry.get(kind).migrations.length },
  data: { ...(registry.get(kind).defaults(() => id) as object), ...data } as Flow['groups'][0]['blocks'][0]['data'],
})
const thanks = block('thanks', 'text', { content: plainRichText('Thank you') })
const flowOf = (...blocks: Flow['groups'][0]['blocks']): { source: string } => ({
  source: JSON.stringify({
    ...emptyFlow(),
    variables: [{ id: 'wish', name: 'wish', value: null }],
    groups: [
      { id: 'g', title: '', position: { x: 0, y: 0 }, blocks: [block('start', 'start', {}), ...blocks, thanks] },
    ],
  }),
})
const NO_PROMPT = { prompt: plainRichText('') }

test('the first message answers the first question where nothing was said before it', async () => {
  const wish = block('wish', 'text-input', { ...NO_PROMPT, placeholder: staticValue(''), saveTo: 'wish' })
  expect(await talks.with(flowOf(wish))).toEqual({ end: 'ended', turns: 1, problems: [] })
  const greeting = block('hello', 'text', { content: plainRichText('Welcome') })
  expect(await talks.with(flowOf(greeting, wish))).toEqual({ end: 'ended', turns: 2, problems: [] })
})

test('a question without words comes all the same: with its buttons, or by what stands in its input', async () => {
  const options = ['Yes', 'No'].map((label) => ({ id: label, label: staticValue(label) }))
  const buttons = block('choose', 'buttons', { ...NO_PROMPT, options })
  expect(await talks.with(flowOf(buttons))).toEqual({ end: 'ended', turns: 2, problems: [] })
  const email = block('mail', 'email-input', { ...NO_PROMPT, placeholder: staticValue('Your address'), saveTo: 'wish' })
  expect(await talks.with(flowOf(email))).toEqual({ end: 'ended', turns: 2, problems: [] })
})
