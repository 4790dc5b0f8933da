import type { Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { registry } from '../../blocks/registry'
import { createCountingIds } from '../../engine/flow/ids'
import { type Block, emptyFlow } from '../../engine/flow/schema'
import { type DynamicValue, staticValue } from '../../engine/values/dynamicValue'
import { plainRichText, type RichText, richTextToString } from '../../engine/values/richText'
import { systemVariables } from '../../engine/values/systemVariables'
import { Role } from '../../server/access/roles'
import { ensureBuilt } from '../../server/cli/prepare.mjs'
import { exportFlow, importFlow } from '../../server/contracts/flows'
import { expectAccessible } from '../support/accessibility'
import { launchBrowser, type TestBrowser } from '../support/browser'
import { addMember, makeChatbot } from '../support/collab'
import { type Registered, startTestServer, type TestServer } from '../support/server'
import { block, group, ready, settings, showAll } from './steps'

/** Texts written on the cards of the canvas; each test begins with the same flow. */
let server: TestServer
let ada: TestBrowser
let bo: TestBrowser
let owner: Registered
let editor: Registered
let viewer: Registered
let place: { pgid: string; cgid: string; fid: string }

beforeAll(async () => {
  ensureBuilt()
  ;[server, ada, bo] = await Promise.all([startTestServer(), launchBrowser(), launchBrowser({ hasTouch: true })])
  owner = await server.register({ first_name: 'Ada', last_name: 'Lovelace', email: 'ada@example.com' })
  editor = await server.register({ first_name: 'Bo', last_name: 'Diaz', email: 'bo@example.com' })
  viewer = await server.register({ first_name: 'Vera', last_name: 'Viewer', email: 'vera@example.com' })
})
afterAll(() => Promise.all([ada?.close(), bo?.close(), server?.close()]))

const ids = createCountingIds('id')
function made(kind: string, data: object = {}): Block {
  const definition = registry.get(kind)
  const whole = { ...(definition.defaults(ids) as Block['data']), ...data } as Block['data']
  return { id: ids(), kind, version: definition.migrations.length, data: whole }
}

/** Start, then a message with buttons, then a question, and a group of any other blocks. */
function flow(...others: Block[]) {
  const groups = [
    [made('start')],
    [made('text', { content: plainRichText('Hello') }), made('buttons')],
    [made('text-input', { prompt: plainRichText('Your name?') }), made('image')],
    ...(others.length > 0 ? [others] : []),
  ]
  const titles = ['Begin', 'Welcome', 'Ask', 'More']
  return {
    ...emptyFlow(),
    groups: groups.map((blocks, at) => ({
      id: `g${at}`,
      title: titles[at] ?? '',
      position: { x: at * 360, y: 0 },
      blocks,
    })),
  }
}

beforeEach(async () => {
  place = await makeChatbot(owner)
  await addMember(server, place.pgid, editor, [Role.EDITOR])
  await addMember(server, place.pgid, viewer, [Role.VIEWER])
  await owner.call(importFlow, { params: place, body: { source: JSON.stringify(flow()), mode: 'replace' } })
  await enterAs(owner, ada)
})

async function enterAs(person: Registered, { context, page }: TestBrowser): Promise<void> {
  await context.addCookies([...person.cookies].map(([name, value]) => ({ name, value, url: server.url })))
  await page.goto(`${server.url}/projects/${place.pgid}/chatbots/${place.cgid}/builder`)
  await group(page, 'Welcome').waitFor()
  await showAll(page)
}

/** A text field on a card, by the beginning of its name. */
const cardField = (page: Page, name: string): Locator =>
  page.locator('[data-card-editor]').getByRole('textbox', { name: new RegExp(`^${name}`) })
const awake = (page: Page, name: string) =>
  cardField(page, name).and(page.locator('[data-slate-editor]:focus')).waitFor()
const focused = (page: Page, on: Locator) => on.and(page.locator(':focus')).waitFor()

const namedField = (page: Page, name: string) => cardField(page, name).and(page.locator('input:focus'))

/** A double click on a text of a card, which itself takes no presses: the card does. */
async function openText(page: Page, text: Locator): Promise<void> {
  const box = await text.boundingBox()
  if (!box) throw new Error('the text is not there')
  await page.mouse.dblclick(box.x + box.width / 2, box.y + box.height / 2)
}

/** The flow with these blocks in a group of their own, in sight. */
async function replace(page: Page, ...others: Block[]): Promise<void> {
  await ready(page)
  await owner.call(importFlow, { params: place, body: { source: JSON.stringify(flow(...others)), mode: 'replace' } })
  await group(page, 'More').waitFor()
  await showAll(page)
}

/** A block's data as it is stored. */
async function dataOf(page: Page, { id }: Block): Promise<Block['data']> {
  await ready(page)
  const file = await owner.call(exportFlow, { params: place })
  if (!('groups' in file)) throw new Error('it has one flow')
  const found = file.groups.flatMap(({ blocks }) => blocks).find((one) => one.id === id)
  if (!found) throw new Error('the block is not there')
  return found.data
}

/** All texts of the cards as they are stored, group by group. */
async function stored(page: Page): Promise<string[][]> {
  await ready(page)
  const file = await owner.call(exportFlow, { params: place })
  if (!('groups' in file)) throw new Error('it has one flow')
  return file.groups.map(({ blocks }) =>
    blocks.flatMap(({ data }) => {
      const rich = (data.content ?? data.prompt) as RichText | undefined
      const options = (data.options ?? []) as { label: DynamicValue }[]
      const labels = options.map(({ label }) => (label.type === 'static' ? label.value : '<variable>'))
      return [...(rich ? [richTextToString(rich, () => '<variable>')] : []), ...labels]
    }),
  )
}

it('takes a sentence that is typed right after a block was added', async () => {
  const { page } = ada
  const sentence = 'Have a look at my van, mh / a?'
  await page.getByRole('region', { name: 'Blocks' }).getByRole('button', { name: 'Text', exact: true }).click()
  await page.keyboard.type(sentence)
  await awake(page, 'Text: Message')
  await expect.poll(() => cardField(page, 'Text: Message').textContent()).toBe(sentence)
  await page.keyboard.press('Escape')
  await page.locator('[data-block-id]:focus').waitFor()
  expect((await stored(page)).flat()).toContain(sentence)
  // no letter of it was a key of the canvas
  await page.locator('[data-canvas][data-tool="select"]').waitFor()
  expect(await page.getByRole('dialog').count()).toBe(0)
})

it('leaves single keys to whatever has the focus outside the canvas', async () => {
  const { page } = ada
  const canvas = page.locator('[data-canvas]')
  await block(page, 'Welcome', 'Text').click()
  await settings(page).getByRole('button', { name: 'Close' }).focus()
  await page.keyboard.press('h')
  await page.keyboard.press('Delete')
  await page.getByRole('button', { name: 'Undo' }).focus()
  await page.keyboard.press('h')
  await block(page, 'Welcome', 'Text').focus()
  await page.keyboard.press('Escape')
  await page.locator('[data-canvas][data-tool="select"]').waitFor()
  expect(await block(page, 'Welcome', 'Text').count()).toBe(1)
  await page.keyboard.press('h')
  await canvas.and(page.locator('[data-tool="hand"]')).waitFor()
})

it('writes from text to text by keys alone, adds and takes away options, and takes it back step by step', async () => {
  const { page } = ada
  await block(page, 'Welcome', 'Text').dblclick()
  await awake(page, 'Text: Message')
  await page.keyboard.press('End')
  await page.keyboard.type(' there')
  await page.keyboard.press('Tab')
  await awake(page, 'Buttons: Option 1 of 2')
  await page.keyboard.type('Prices')
  await page.keyboard.press('Enter')
  await awake(page, 'Buttons: Option 2 of 3')
  await page.keyboard.type('Hours')
  await page.keyboard.press('Enter')
  await awake(page, 'Buttons: Option 3 of 4')
  await page.keyboard.press('Backspace')
  await awake(page, 'Buttons: Option 2 of 3')
  await page.keyboard.type('!')
  await page.keyboard.press('Tab')
  await awake(page, 'Buttons: Option 3 of 3')
  await page.keyboard.press('Tab')
  await awake(page, 'Text input: Question')
  await page.keyboard.press('Shift+Tab')
  await awake(page, 'Buttons: Option 3 of 3')
  await page.keyboard.press('Escape')
  await focused(page, block(page, 'Welcome', 'Buttons'))
  expect(await cardField(page, '').count()).toBe(0)
  expect(await block(page, 'Welcome', 'Buttons').getAttribute('aria-current')).toBe('true')
  expect((await stored(page))[1]).toEqual(['Hello there', '', 'Prices', 'Hours!', 'No'])
  await page.keyboard.press('Enter')
  await awake(page, 'Buttons: Question')
  await page.keyboard.type('What about?')
  await expect.poll(async () => (await stored(page))[1]?.[1]).toBe('What about?')
  // letters that came slowly are several steps
  for (let before = await stored(page); before[1]?.[1] !== ''; before = await stored(page)) {
    await page.keyboard.press('Control+z')
    await expect.poll(() => stored(page)).not.toEqual(before)
  }
  expect((await stored(page))[1]).toEqual(['Hello there', '', 'Prices', 'Hours!', 'No'])
  await page.keyboard.press('Control+z')
  await expect.poll(async () => (await stored(page))[1]).toEqual(['Hello there', '', 'Prices', 'Hours', 'No'])
  expect(ada.errors).toEqual([])
})

it('writes the labels of a form on its card, with fields added and taken away there', async () => {
  const { page } = ada
  const form = made('form')
  await replace(page, form)
  const labels = async () => {
    const { fields } = await dataOf(page, form)
    return (fields as { label: DynamicValue }[]).map(({ label }) => label.type === 'static' && label.value)
  }
  const [first] = await labels()
  const card = block(page, 'More', 'Form')
  await openText(page, card.locator('[data-text]').nth(1))
  await awake(page, 'Form: Label 2 of 2')
  await page.keyboard.press('Control+a')
  await page.keyboard.type('Phone')
  await page.keyboard.press('Enter')
  await awake(page, 'Form: Label 3 of 3')
  await page.keyboard.type('Company')
  await page.keyboard.press('Enter')
  await awake(page, 'Form: Label 4 of 4')
  await page.keyboard.press('Backspace')
  await awake(page, 'Form: Label 3 of 3')
  await page.keyboard.press('Shift+Tab')
  await awake(page, 'Form: Label 2 of 3')
  await page.keyboard.press('Escape')
  await focused(page, card)
  expect(await labels()).toEqual([first, 'Phone', 'Company'])
  await card.getByText('Company').waitFor()
})

it('writes names on the cards of intents and extracted fields, as lines without variables', async () => {
  const { page } = ada
  const [intent, extract] = [made('intent'), made('ai-extract')]
  await replace(page, intent, extract)
  await openText(page, block(page, 'More', 'Intent').getByText('New intent'))
  await namedField(page, 'Intent: Name').waitFor()
  await page.keyboard.press('Control+a')
  await page.keyboard.type('Opening {hours}')
  await expect.poll(() => namedField(page, 'Intent: Name').inputValue()).toBe('Opening {hours}')
  await expectAccessible(page, 'a name edited on its card', '[data-canvas]')
  await page.keyboard.press('Tab')
  await namedField(page, 'AI extract: .* 1 of 1').waitFor()
  await page.keyboard.type('Mail')
  // the name it covers was shorter than what is written
  const isWhole = (field: HTMLElement) => field.scrollWidth <= field.clientWidth
  await expect.poll(() => namedField(page, 'AI extract: .* 1 of 1').evaluate(isWhole)).toBe(true)
  await page.keyboard.press('Enter')
  await namedField(page, 'AI extract: .* 2 of 2').waitFor()
  await page.keyboard.type('Town')
  await page.keyboard.press('Escape')
  await focused(page, block(page, 'More', 'AI extract'))
  expect((await dataOf(page, intent)).name).toBe('Opening {hours}')
  expect(((await dataOf(page, extract)).fields as { name: string }[]).map(({ name }) => name)).toEqual(['Mail', 'Town'])
})

it('writes titles and buttons of a carousel, an email’s subject and a hand-off’s team on their cards', async () => {
  const { page } = ada
  const carousel = made('carousel')
  const mail = made('send-email', { to: [{ id: 'to', address: staticValue('ada@example.com') }] })
  const handOff = made('hand-off', { team: staticValue('Sales'), message: plainRichText('Wait') })
  await replace(page, carousel, mail, handOff)
  await openText(page, block(page, 'More', 'Carousel').getByText('First card'))
  await awake(page, 'Carousel: Title 1 of 2')
  await page.keyboard.press('Control+a')
  await page.keyboard.type('Bike')
  await page.keyboard.press('Tab')
  await awake(page, 'Carousel: .* 1 of 1')
  await page.keyboard.type('Take it')
  await page.keyboard.press('Enter')
  await awake(page, 'Carousel: .* 2 of 2')
  await page.keyboard.type('Leave it')
  await openText(page, block(page, 'More', 'Send email').getByText('No subject'))
  await awake(page, 'Send email: Subject')
  await page.keyboard.type('A lead')
  await page.keyboard.press('Tab')
  await awake(page, 'Hand-off: Team')
  await page.keyboard.type('Support')
  await page.keyboard.press('Escape')
  await focused(page, block(page, 'More', 'Hand-off'))
  const { items } = await dataOf(page, carousel)
  const [card, ...rest] = items as { title: DynamicValue; buttons: { label: DynamicValue }[] }[]
  expect(card?.title).toEqual(staticValue('Bike'))
  expect(card?.buttons.map(({ label }) => label)).toEqual([staticValue('Take it'), staticValue('Leave it')])
  expect(rest.length).toBe(1)
  expect((await dataOf(page, mail)).subject).toEqual(staticValue('A lead'))
  expect((await dataOf(page, handOff)).team).toEqual(staticValue('Support'))
})

it('keeps a variable on the line of the punctuation behind it', async () => {
  const { page } = ada
  const userId = systemVariables.find(({ name }) => name === 'user_id')?.id
  // a letter more is less than the three signs: one of these lengths ends the line between the two
  const greetings = Array.from({ length: 12 }, (_, length) =>
    made('text', {
      content: [
        {
          type: 'paragraph',
          children: [
            { text: `Welcome to ${'ooooooooooooooooo'.slice(0, length + 5)} ` },
            { text: '', variable: true, variable_id: userId },
            { text: '!?! How are you?' },
          ],
        },
      ],
    }),
  )
  await replace(page, ...greetings)
  const places = await group(page, 'More')
    .locator('[data-chip]')
    .evaluateAll((chips) =>
      chips.map((chip) => {
        const walker = document.createTreeWalker(chip.closest('[data-text]') as Node, NodeFilter.SHOW_TEXT)
        const range = document.createRange()
        while (walker.nextNode())
          if (walker.currentNode.textContent?.startsWith('!')) range.setStart(walker.currentNode, 0)
        range.setEnd(range.startContainer, 1)
        return range.getBoundingClientRect().left - chip.getBoundingClientRect().right
      }),
    )
  expect(places.length).toBe(greetings.length)
  expect(places.filter((gap) => Math.abs(gap) > 1)).toEqual([])
})

it('puts a variable into a text on the card, and offers the marks of the settings', async () => {
  const { page } = ada
  await block(page, 'Welcome', 'Text').dblclick()
  await awake(page, 'Text: Message')
  await page.keyboard.press('End')
  await page.keyboard.type(' {')
  const filter = page.getByRole('combobox', { name: 'Find a variable' })
  await focused(page, filter)
  await page.keyboard.type('Name')
  await page.getByRole('option', { name: 'Create variable “Name”' }).click()
  await awake(page, 'Text: Message')
  await page.keyboard.type('!')
  await cardField(page, 'Text: Message').locator('[data-chip]', { hasText: 'Name' }).waitFor()
  await page.locator('[data-card-editor]').getByRole('button', { name: 'Bold' }).waitFor()
  await expectAccessible(page, 'a text edited on its card', '[data-canvas]')
  await page.keyboard.press('Escape')
  expect((await stored(page))[1]?.[0]).toBe('Hello <variable>!')
})

it('adds at the end of a group and on the empty canvas, and goes on writing there', async () => {
  const { page } = ada
  await group(page, 'Ask').hover({ position: { x: 100, y: 10 } })
  await page.getByRole('button', { name: 'Add a block to Ask' }).click()
  const search = page.getByRole('dialog', { name: 'Add a block' }).getByRole('searchbox')
  await focused(page, search)
  await page.keyboard.type('text')
  await page.keyboard.press('Enter')
  await page.keyboard.type('At the end')
  await awake(page, 'Text: Message')
  await expect.poll(async () => (await stored(page))[2]?.at(-1)).toBe('At the end')

  const canvas = page.getByLabel('Flow', { exact: true })
  const box = await canvas.boundingBox()
  const [x, y] = [(box?.x ?? 0) + 200, (box?.y ?? 0) + (box?.height ?? 0) - 200]
  await page.mouse.dblclick(x, y)
  await focused(page, search)
  await page.keyboard.type('text')
  await page.keyboard.press('Enter')
  await page.keyboard.type('A group of its own')
  await awake(page, 'Text: Message')
  await expect.poll(async () => (await stored(page)).flat()).toContain('A group of its own')
  const made = await group(page, 'Text').boundingBox()
  expect(Math.abs((made?.x ?? 0) - x)).toBeLessThan(12)
})

it('opens the first field of the settings where a card has no text, and where it is too far away to read', async () => {
  const { page } = ada
  await block(page, 'Ask', 'Image').dblclick()
  await focused(page, settings(page).locator('[data-slate-editor]').first())
  await page.keyboard.press('Escape')
  await focused(page, block(page, 'Ask', 'Image'))
  for (let out = 0; out < 4; out++) await page.getByRole('button', { name: 'Zoom out' }).click()
  await block(page, 'Welcome', 'Text').dblclick()
  await focused(page, settings(page).getByRole('textbox', { name: 'Message' }))
  expect(await cardField(page, '').count()).toBe(0)
  // who has closed the settings has the keys of the canvas again
  await settings(page).getByRole('button', { name: 'Close' }).click()
  await page.keyboard.press('h')
  await page.locator('[data-canvas][data-tool="hand"]').waitFor()
})

it('keeps what two write into one text at once', async () => {
  await enterAs(editor, bo)
  for (const { page } of [ada, bo]) {
    await block(page, 'Welcome', 'Text').dblclick()
    await awake(page, 'Text: Message')
  }
  await ada.page.keyboard.press('Home')
  await bo.page.keyboard.press('End')
  await bo.page.locator('[data-caret="Ada Lovelace"]').waitFor({ state: 'attached' })
  await Promise.all([ada.page.keyboard.type('Oh. '), bo.page.keyboard.type(' and welcome')])
  const text = (page: Page) => cardField(page, 'Text: Message').locator('[data-slate-node="text"]').allInnerTexts()
  for (const { page } of [ada, bo]) await expect.poll(() => text(page)).toEqual(['Oh. Hello and welcome'])
  // letters that came slowly are several steps
  const hers = async () => (await text(ada.page)).filter((one) => one !== 'Hello and welcome')
  while ((await hers()).length > 0) {
    const before = await text(ada.page)
    await ada.page.keyboard.press('Control+z')
    await expect.poll(() => text(ada.page)).not.toEqual(before)
  }
  await expect.poll(() => text(bo.page)).toEqual(['Hello and welcome'])
  // whose block goes away goes on beside it
  await ada.page.keyboard.press('Escape')
  await focused(ada.page, block(ada.page, 'Welcome', 'Text'))
  await ada.page.keyboard.press('Delete')
  await cardField(bo.page, '').waitFor({ state: 'detached' })
  await focused(bo.page, block(bo.page, 'Welcome', 'Buttons'))
})

it('edits by the second tap of a finger', async () => {
  await enterAs(editor, bo)
  const { page } = bo
  await block(page, 'Welcome', 'Text').tap()
  await settings(page).waitFor()
  await block(page, 'Welcome', 'Text').tap()
  await awake(page, 'Text: Message')
})

it('shows on a phone what is written, above its keyboard', async () => {
  await enterAs(editor, bo)
  const { page } = bo
  await page.setViewportSize({ width: 390, height: 844 })
  const [show, hide] = ['Show blocks', 'Hide blocks'].map((name) => page.getByRole('button', { name })) as [
    Locator,
    Locator,
  ]
  await show.or(hide).first().waitFor()
  if (await show.isVisible()) await show.tap()
  await page.getByRole('region', { name: 'Blocks' }).getByRole('button', { name: 'Text', exact: true }).tap()
  await awake(page, 'Text: Message')
  await page.keyboard.type('Hi')
  const lower = async () => {
    const box = await cardField(page, 'Text: Message').boundingBox()
    return box ? box.y + box.height : Infinity
  }
  await expect.poll(lower).toBeLessThan(844 / 2)
  await page.setViewportSize({ width: 1440, height: 900 })
})

it('opens nothing for who may only look', async () => {
  const { page } = bo
  await enterAs(viewer, bo)
  await block(page, 'Welcome', 'Text').dblclick()
  await settings(page).waitFor()
  await page.keyboard.press('Enter')
  await page.getByLabel('Flow', { exact: true }).dblclick({ position: { x: 200, y: 700 } })
  expect(await cardField(page, '').count()).toBe(0)
  expect(await page.getByRole('dialog').count()).toBe(0)
  expect(await page.getByRole('button', { name: /^Add a block to/ }).count()).toBe(0)
})
