import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { ensureBuilt } from '../../server/cli/prepare.mjs'
import { updateChatbot } from '../../server/contracts/chatbots'
import { parseConfig } from '../../server/platform/config/config'
import { expectAccessible } from '../support/accessibility'
import { launchBrowser, type TestBrowser } from '../support/browser'
import { addMember, makeChatbot } from '../support/collab'
import { type OutsideServer, startOutsideServer } from '../support/outsideServer'
import { linesOf, writePdf } from '../support/pdf'
import { type Registered, startTestServer, type TestServer } from '../support/server'
import { startSalesforce } from '../support/vendors/salesforce/startSalesforce'

/** Somebody gives a chatbot something to answer from: a site, a PDF, an FAQ entry; asks what is found; changes it, and takes it away. */
let server: TestServer
let site: OutsideServer
let salesforce: Awaited<ReturnType<typeof startSalesforce>>
let editors: TestBrowser
let eve: Registered
let list: string

const pages: Record<string, string> = {
  '/': pageOf(
    'Lamps',
    'We make lamps from recycled glass. <a href="/shipping">Shipping</a> <a href="/gone">Old offer</a>',
  ),
  '/shipping': pageOf(
    'Shipping',
    'Parcels within the country arrive after two to four working days. Parcels to islands take six working days because they travel by ferry.',
  ),
}
function pageOf(title: string, text: string): string {
  return `<!doctype html><html lang="en"><head><title>${title}</title></head><body><main><h1>${title}</h1><p>${text}</p></main></body></html>`
}

beforeAll(async () => {
  ensureBuilt()
  site = await startOutsideServer(({ path }, response) => {
    const found = pages[path]
    response.writeHead(found ? 200 : 404, { 'content-type': 'text/html; charset=utf-8' })
    response.end(found ?? pageOf('Not found', 'There is nothing here.'))
  })
  salesforce = await startSalesforce({ clock: () => new Date() })
  const { outboundAllow, vendors } = parseConfig({
    OUTBOUND_ALLOW: '127.0.0.1',
    SALESFORCE_CLIENT_ID: salesforce.client.id,
    SALESFORCE_CLIENT_SECRET: salesforce.client.secret,
    SALESFORCE_LOGIN_URL: salesforce.origin,
  })
  ;[server, editors] = await Promise.all([startTestServer({ config: { outboundAllow, vendors } }), launchBrowser()])
  // where Salesforce sends people back to
  server.context.config.publicUrl = server.url
  const owner = await server.register()
  const place = await makeChatbot(owner)
  eve = await server.register()
  await addMember(server, owner.pgid, eve, [3])
  list = `${server.url}/projects/${place.pgid}/chatbots/${place.cgid}/data-sources`
  await editors.context.addCookies([...eve.cookies].map(([name, value]) => ({ name, value, url: server.url })))
})
afterAll(async () => {
  await Promise.all([editors?.close(), server?.close(), salesforce?.close()])
  site?.close()
})

const button = (on: Page, name: string) => on.getByRole('button', { name, exact: true })
const row = (on: Page, name: string | RegExp) =>
  on.getByRole('table', { name: 'Sources', exact: true }).getByRole('row', { name })

it('a site is searched, and what was found is trained', async () => {
  const { page } = editors
  await page.goto(list.replace('data-sources', 'knowledge-base'))
  await page.getByRole('heading', { name: 'No data sources yet', exact: true }).waitFor()
  await expectAccessible(page, 'no sources')
  await page.getByRole('link', { name: 'Links', exact: true }).click()
  await page.getByText('Website', { exact: true }).click()
  const address = page.getByRole('textbox', { name: 'Start URL', exact: true })
  await address.fill('lamps')
  await button(page, 'Find pages').click()
  await page.getByText('Enter a valid URL (must start with https:// or http://)', { exact: true }).waitFor()
  await address.fill(`${site.url}/`)
  await button(page, 'Find pages').click()
  await page.getByText('Pages found', { exact: true }).waitFor()
  await page.getByRole('tab', { name: 'Failed (1)', exact: true }).click()
  await page.getByText(/There is no page at .*\/gone\./).waitFor()
  await page.getByRole('tab', { name: 'Found (2)', exact: true }).click()
  await page.getByRole('checkbox', { name: `Select ${site.url}/`, exact: true }).uncheck()
  await page.getByText('1 of 2 selected', { exact: true }).waitFor()
  await expectAccessible(page, 'pages that were found')
  await button(page, 'Train 1 page').click()
  await page.waitForURL(list)
  await row(page, /^Select Shipping/)
    .getByText('Ready', { exact: true })
    .waitFor()
})

it('a PDF and FAQ entries are added; what is wrong with them is said, and nothing typed is lost', async () => {
  const { page } = editors
  await page.getByRole('link', { name: 'Add data sources', exact: true }).click()
  await page.getByRole('tab', { name: 'FAQ', exact: true }).click()
  await page.getByRole('textbox', { name: 'Question', exact: true }).fill('Can I send a lamp back?')
  await button(page, 'Add and train').click()
  await page.getByText('Enter an answer', { exact: true }).waitFor()
  await page.getByRole('link', { name: 'Chatbots', exact: true }).click()
  const leave = page.getByRole('dialog', { name: 'Leave without adding?', exact: true })
  await button(leave.page(), 'Cancel').click()
  await page.getByRole('textbox', { name: 'Answer', exact: true }).fill('Yes, within thirty days.')

  await page.getByRole('tab', { name: 'Documents', exact: true }).click()
  await page
    .getByRole('tabpanel', { name: 'Documents' })
    .locator('input[type=file]')
    .setInputFiles([
      { name: 'notes.txt', mimeType: 'text/plain', buffer: Buffer.from('no PDF') },
      { name: 'bomb.pdf', mimeType: 'application/pdf', buffer: Buffer.from('PK\u0003\u0004 an archive') },
      {
        name: 'warranty.pdf',
        mimeType: 'application/pdf',
        buffer: writePdf([linesOf(['Every lamp is covered by a warranty of five years from its day of delivery.'])]),
      },
    ])
  await page.getByText('Not a PDF file. Save it as PDF first.', { exact: true }).waitFor()
  await page.getByText(/Documents must be PDF files/).waitFor()
  await page.getByText('Uploaded', { exact: false }).first().waitFor()
  await expectAccessible(page, 'documents')

  await page.getByRole('tab', { name: 'FAQ', exact: true }).click()
  await button(page, 'Add and train').click()
  await page.waitForURL(list)
  await row(page, /^Select Can I send a lamp back/)
    .getByText('Ready', { exact: true })
    .waitFor()
  await row(page, /^Select warranty/)
    .getByText('Ready', { exact: true })
    .waitFor()
})

it('a CSV is checked before it is imported, and its wrong lines are named', async () => {
  const { page } = editors
  await page.goto(`${list}/new?kind=faq`)
  await page.getByText('CSV file', { exact: true }).click()
  const csv = 'question,answer\nDo you repair lamps?,"Yes, in our workshop."\n,nobody asked\nbroken,"never closed\n'
  await page
    .getByRole('tabpanel', { name: 'FAQ' })
    .locator('input[type=file]')
    .setInputFiles({ name: 'faq.csv', mimeType: 'text/csv', buffer: Buffer.from(csv) })
  await page.getByText('1 entry can be added', { exact: true }).waitFor()
  await page.getByText('Line 3', { exact: true }).waitFor()
  await page.getByText('Line 4', { exact: true }).waitFor()
  await button(page, 'Add 1 entry').click()
  await page.waitForURL(list)
  await row(page, /^Select Do you repair lamps/)
    .getByText('Ready', { exact: true })
    .waitFor()
})

it('a question shows the passages that are found, and that nothing is for another one', async () => {
  const { page } = editors
  await button(page, 'Test retrieval').click()
  const question = page.getByRole('textbox', { name: 'Question', exact: true })
  await question.fill('How long is the warranty of a lamp?')
  await button(page, 'Find passages').click()
  const result = page.getByRole('region', { name: 'Result', exact: true })
  await result.getByRole('listitem').first().getByText('warranty of five years').waitFor()
  await result.getByText('Answer of the built-in model', { exact: true }).waitFor()
  await question.fill('Which team won the football cup in Uruguay?')
  await button(page, 'Find passages').click()
  await result.getByText('Not found', { exact: true }).waitFor()
  await expectAccessible(page, 'sources')
  await page.locator('#content').getByRole('button', { name: 'Close', exact: true }).click()
})

it('the chatbot answers from the site, the PDF and the entry, and learns what it did not know', async () => {
  const { page } = editors
  const [, , , , pgid = '', , cgid = ''] = list.split('/')
  const body = { business_name: 'Lamps', business_description: 'Makes lamps.' }
  await eve.call(updateChatbot, { params: { pgid, cgid }, body })
  await page.getByRole('link', { name: 'Playground', exact: true }).click()
  const conversation = page.getByRole('region', { name: 'Conversation', exact: true })
  const reply = (question: string) =>
    conversation
      .getByRole('listitem')
      .filter({ hasText: `You: ${question}` })
      .last()
  const ask = async (question: string, said: RegExp, source: string | null) => {
    await page.getByRole('textbox', { name: 'Question', exact: true }).fill(question)
    await page.keyboard.press('Enter')
    await reply(question).getByText(said).first().waitFor()
    const cited = reply(question).getByRole('list', { name: 'Sources', exact: true }).getByRole('button')
    // they come after the words
    await expect.poll(() => cited.allTextContents()).toEqual(source === null ? [] : [`1${source}`])
  }
  await ask('How long do parcels to islands take?', /six working days/, 'Shipping')
  await ask('How long is the warranty of a lamp?', /warranty of five years/, 'warranty')
  await ask('May I send a lamp back?', /within thirty days/, 'Can I send a lamp back?')
  const unknown = 'Which team won the football cup in Uruguay?'
  await ask(unknown, /Did you mean/, null)

  await button(page, 'Fix this answer').last().click()
  const fix = page.getByRole('dialog', { name: 'Fix this answer', exact: true })
  await fix.getByRole('textbox', { name: 'Correct answer', exact: true }).fill('Our own team did, in the lamp league.')
  await fix.getByRole('button', { name: 'Save and ask again', exact: true }).click()
  await fix.waitFor({ state: 'hidden' })
  await ask(unknown, /in the lamp league/, unknown)
  await page.getByRole('link', { name: 'Data sources', exact: true }).click()
  await row(page, new RegExp(`^Select ${unknown.slice(0, 20)}`))
    .getByText('Ready', { exact: true })
    .waitFor()
})

it('an entry is changed, a dead link says why, and both are deleted', async () => {
  const { page } = editors
  await row(page, /^Select Can I send a lamp back/)
    .getByRole('link')
    .click()
  const answer = page.getByRole('textbox', { name: 'Answer', exact: true })
  await answer.fill('Yes, within sixty days.')
  await button(page, 'Save and train').click()
  await page.getByText('Saved. Training started.', { exact: true }).waitFor()
  await page.getByRole('tab', { name: 'Passages (1)', exact: true }).click()
  await page.getByRole('list', { name: 'Passages', exact: true }).getByText('Yes, within sixty days.').waitFor()
  await expectAccessible(page, 'a source')

  await page.goto(`${list}/new`)
  await page.getByRole('textbox', { name: 'URLs', exact: true }).fill(`${site.url}/gone`)
  await button(page, 'Add and train').click()
  await page.waitForURL(list)
  const dead = row(page, /^Select .*\/gone/)
  await dead.getByText(/There is no page at .*\/gone\./).waitFor()
  await page.getByText('1 source failed', { exact: true }).waitFor()

  await dead.getByRole('checkbox').check()
  await row(page, /^Select Can I send a lamp back/)
    .getByRole('checkbox')
    .check()
  await page
    .getByRole('region', { name: 'Selected sources', exact: true })
    .getByRole('button', { name: 'Delete', exact: true })
    .click()
  await page
    .getByRole('dialog', { name: 'Delete 2 sources?', exact: true })
    .getByRole('button', { name: 'Delete', exact: true })
    .click()
  await page.getByText('2 sources deleted', { exact: true }).waitFor()
  await dead.waitFor({ state: 'detached' })
  // what the server refused was said where it belongs, and is all that the browser reported
  expect(editors.errors.filter((error) => !/status of (415|422)/.test(error))).toEqual([])
})

it('a feed is followed: its pages are trained, later ones when it is read again, and it ends with them', async () => {
  const { page } = editors
  const entry = (name: string) => `<item><title>${name}</title><link>${site.url}/${name}</link></item>`
  const say = (...names: string[]) => {
    for (const name of names)
      pages[`/${name}`] = pageOf(
        name,
        `All about ${name}. It is made by hand from glass, and is sent within two days of the order.`,
      )
    pages['/feed.xml'] = `<rss><channel><title>Lamp news</title>${names.map(entry).join('')}</channel></rss>`
  }
  say('lantern')
  await page.goto(`${list}/new?kind=link`)
  await page.getByText('Feed', { exact: true }).click()
  await button(page, 'Follow and train').click()
  await page.getByText('Enter a URL', { exact: true }).waitFor()
  await page.getByRole('textbox', { name: 'Feed URL', exact: true }).fill(`${site.url}/feed.xml`)
  await expectAccessible(page, 'new feed')
  await button(page, 'Follow and train').click()
  await page.waitForURL(list)
  const followed = page.getByRole('list', { name: 'Followed', exact: true })
  await followed.getByText('Lamp news', { exact: true }).waitFor()
  await followed.getByText(/1 source/).waitFor()
  await row(page, /^Select lantern/)
    .getByText('Ready', { exact: true })
    .waitFor()
  await expectAccessible(page, 'followed feed')
  say('torch', 'lantern')
  await button(page, 'Read Lamp news now').click()
  await followed.getByText(/2 sources/).waitFor()
  // what is deleted by hand does not come again by itself
  await row(page, /^Select torch/)
    .getByText('Ready', { exact: true })
    .waitFor()
  await row(page, /^Select torch/)
    .getByRole('checkbox')
    .check()
  await page
    .getByRole('region', { name: 'Selected sources', exact: true })
    .getByRole('button', { name: 'Delete', exact: true })
    .click()
  await page
    .getByRole('dialog', { name: 'Delete 1 source?', exact: true })
    .getByRole('button', { name: 'Delete', exact: true })
    .click()
  await followed.getByText('1 deleted page stays out.', { exact: true }).waitFor()
  await button(page, 'Read Lamp news now').click()
  await expect.poll(() => button(page, 'Read Lamp news now').isEnabled()).toBe(true)
  await followed.getByText(/1 source/).waitFor()
  await expectAccessible(page, 'a feed of which a page was deleted')
  await button(page, 'Add back deleted pages of Lamp news').click()
  await page.getByText('They are added back when it is read next', { exact: true }).waitFor()
  await button(page, 'Read Lamp news now').click()
  await followed.getByText(/2 sources/).waitFor()
  await button(page, 'Stop following Lamp news').click()
  const dialog = page.getByRole('dialog', { name: 'Stop following “Lamp news”?', exact: true })
  await dialog.getByRole('checkbox', { name: 'Also delete its 2 sources', exact: true }).check()
  await expectAccessible(page, 'end of a feed')
  await button(page, 'Stop following').click()
  await followed.waitFor({ state: 'detached' })
  await row(page, /^Select lantern/).waitFor({ state: 'detached' })
})

it('public articles of Salesforce are followed: an admin connects it, and what is internal is never taken', async () => {
  const { page } = editors
  salesforce.add('Knowledge__kav', { Title: 'Bulbs', Answer__c: '<p>Bulbs last ten years.</p>', Notes__c: 'We pay 2' })
  salesforce.add('Knowledge__kav', { Title: 'Margins', Answer__c: '<p>Secret.</p>', IsVisibleInPkb: false })
  await page.goto(`${list}/new?kind=link`)
  await page.getByText('Salesforce Knowledge', { exact: true }).click()
  await page.getByText(/Ask an owner or admin of this project/).waitFor()
  await addMember(server, list.split('/')[4] ?? '', eve, [2, 3])
  await page.goto(`${list}/new?kind=link`)
  await page.getByText('Salesforce Knowledge', { exact: true }).click()
  await expectAccessible(page, 'Salesforce not connected')
  await button(page, 'Connect Salesforce').click()
  await page.getByText('This is not Salesforce.').waitFor()
  await page.getByRole('button', { name: 'Allow' }).click()
  await page.getByRole('textbox', { name: 'Public site (optional)', exact: true }).waitFor()
  await button(page, 'Follow and train').click()
  await page.getByText('Choose a language', { exact: true }).waitFor()
  await page.getByRole('combobox', { name: 'Language', exact: true }).click()
  await page.getByRole('option', { name: 'en_US', exact: true }).click()
  await page.getByRole('combobox', { name: 'Fields', exact: true }).click()
  await page.getByRole('option', { name: 'Answer', exact: true }).click()
  await page.keyboard.press('Escape')
  await expectAccessible(page, 'articles of Salesforce')
  await button(page, 'Follow and train').click()
  await page.waitForURL(list)
  const followed = page.getByRole('list', { name: 'Followed', exact: true })
  await followed.getByText(/Salesforce Knowledge · 1 source/).waitFor()
  await row(page, /^Select Bulbs/)
    .getByText('Ready', { exact: true })
    .waitFor()
  const [bulbs] = salesforce.all('Knowledge__kav')
  if (bulbs) bulbs.values.IsVisibleInPkb = false
  await button(page, 'Read 127.0.0.1 (en_US) now').click()
  await followed.getByText(/0 sources/).waitFor()
  await row(page, /^Select Bulbs/).waitFor({ state: 'detached' })
  await addMember(server, list.split('/')[4] ?? '', eve, [3])
})

it('a rich text is written, and is there again to be changed', async () => {
  const { page } = editors
  await page.goto(`${list}/new?kind=text`)
  await page.getByRole('textbox', { name: 'Title', exact: true }).fill('Opening hours')
  await page.getByRole('textbox', { name: 'Text', exact: true }).click()
  await page.keyboard.type('## Showroom\nWe open at ')
  await button(page, 'Bold').click()
  await page.keyboard.type('nine')
  await button(page, 'Add and train').click()
  await page.waitForURL(list)
  await page.getByRole('link', { name: 'Opening hours', exact: true }).click()
  const text = page.getByRole('textbox', { name: 'Text', exact: true })
  await text.getByText('Showroom', { exact: true }).waitFor()
  await expect.poll(() => text.locator('strong').textContent()).toBe('nine')
})

it('an editor lands here, a viewer is not let in', async () => {
  const { page } = editors
  await page.goto(`${server.url}/?project=${list.split('/')[4]}`)
  await page.waitForURL(list)
  await addMember(server, list.split('/')[4] ?? '', eve, [6])
  await page.goto(list)
  await page.getByRole('heading', { name: 'Unauthorized', exact: true }).waitFor()
})
