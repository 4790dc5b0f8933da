import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { FileChooser, Locator } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type BuiltApp, startBuiltApp } from '../support/app'
import { launchBrowser, type TestBrowser } from '../support/browser'
import { block, chat, drag, ready, registerOwner, settings } from './steps'

let app: BuiltApp
let browser: TestBrowser
let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'parley-image-'))
  app = await startBuiltApp()
  browser = await launchBrowser({ colorScheme: 'light' })
})
afterAll(async () => {
  await browser?.close()
  await app?.stop()
  await rm(folder, { recursive: true, force: true })
})

/** What a page draws, as a file: a picture that browsers really show. */
async function picture(colour: string): Promise<Buffer> {
  const page = await browser.context.newPage()
  await page.setViewportSize({ width: 320, height: 180 })
  await page.setContent(`<body style="margin:0;background:${colour}">`)
  const bytes = await page.screenshot()
  await page.close()
  return bytes
}
const shot = async (name: string) => {
  if (process.env.SHOTS) await browser.page.screenshot({ path: join(process.env.SHOTS, `${name}.png`) })
}

test('an image is chosen, refused, replaced by a pasted one, said to the visitor, and removed', async () => {
  const { page } = browser
  const [first, drawing] = [join(folder, 'first.png'), join(folder, 'drawing.png')]
  await writeFile(first, await picture('teal'))
  await writeFile(drawing, '<svg xmlns="http://www.w3.org/2000/svg"></svg>')
  const dropped = (await picture('plum')).toString('base64')
  const pasted = (await picture('orange')).toString('base64')

  await registerOwner(page, app)
  await page.getByRole('button', { name: 'New chatbot' }).click()
  await page.getByLabel('Chatbot name').fill('Pictures')
  await page.getByRole('button', { name: 'Create chatbot' }).click()
  await ready(page)
  const kind = page.getByRole('complementary', { name: 'Blocks' }).getByRole('button', { name: 'Image', exact: true })
  await drag(page, { on: kind }, { on: block(page, 'Start', 'Start'), y: -2 })
  const panel = settings(page)
  const field = panel.getByRole('group', { name: 'Image' })
  await field.waitFor()
  await shot('1-empty')

  const choose = async (name: string, file: Parameters<FileChooser['setFiles']>[0]) => {
    const chooser = page.waitForEvent('filechooser')
    await panel.getByRole('button', { name }).press('Enter')
    await (await chooser).setFiles(file)
  }
  await choose('Choose a file', drawing)
  await panel.getByRole('alert').filter({ hasText: 'This file is an SVG drawing.' }).waitFor()
  await shot('2-refused')

  const large = { name: 'large.png', mimeType: 'image/png', buffer: Buffer.alloc(10_000_001) }
  await choose('Choose a file', large)
  await panel.getByRole('alert').filter({ hasText: 'This image is larger than 10 MB.' }).waitFor()

  const uploads = '**/api/projects/*/files?*'
  await page.route(uploads, () => undefined)
  await choose('Choose a file', first)
  await panel.getByRole('progressbar', { name: 'first.png' }).waitFor()
  await shot('3-sending')
  await panel.getByRole('button', { name: 'Cancel' }).click()
  await panel.getByRole('progressbar').waitFor({ state: 'detached' })
  expect(await panel.getByRole('alert').count()).toBe(0)
  await page.unroute(uploads)

  await choose('Choose a file', first)
  const preview = panel.locator('img')
  await preview.waitFor()
  const address = await preview.getAttribute('src')
  expect(address).toMatch(/^\/files\/[a-z0-9]{16}$/)
  expect(await panel.getByRole('alert').count()).toBe(0)
  expect(
    await panel.getByRole('button', { name: 'Replace' }).evaluate((button) => button === document.activeElement),
  ).toBe(true)
  await ready(page)
  await page.locator(`main img[src="${address}"]`).first().waitFor()
  await shot('3-uploaded')

  // a file from the clipboard, or let go over the field, is the same to the page as what these events carry
  const carry = (on: Locator, event: 'paste' | 'drop', base64: string) =>
    on.evaluate(
      (element, { event, base64 }) => {
        const bytes = Uint8Array.from(atob(base64), (char) => char.charCodeAt(0))
        const data = new DataTransfer()
        data.items.add(new File([bytes], `${event}.png`, { type: 'image/png' }))
        const init = { bubbles: true, cancelable: true }
        element.dispatchEvent(
          event === 'paste'
            ? new ClipboardEvent(event, { ...init, clipboardData: data })
            : new DragEvent(event, { ...init, dataTransfer: data }),
        )
      },
      { event, base64 },
    )
  await carry(field, 'drop', dropped)
  await panel.locator(`img:not([src="${address}"])`).waitFor()
  const middle = await preview.getAttribute('src')
  await carry(page.locator('body'), 'paste', pasted)
  await panel.locator(`img:not([src="${middle}"])`).waitFor()
  const second = await preview.getAttribute('src')
  expect(second).toMatch(/^\/files\/[a-z0-9]{16}$/)
  await page.emulateMedia({ colorScheme: 'dark' })
  await shot('4-pasted-dark')
  await page.emulateMedia({ colorScheme: 'light' })

  await ready(page)
  await page.getByRole('button', { name: 'Preview', exact: true }).click()
  await chat(page).log.getByRole('button', { name: 'Enlarge the image' }).locator(`img[src="${second}"]`).waitFor()
  await shot('5-tested')
  await page.getByRole('button', { name: 'Preview', exact: true }).click()

  await panel.getByRole('button', { name: 'Remove' }).click()
  await panel.getByRole('button', { name: 'Choose a file' }).waitFor()
  expect(await preview.count()).toBe(0)
  await page.getByRole('button', { name: 'Undo' }).click()
  await preview.waitFor()
  await ready(page)

  // as in a flow that was exported from another installation
  await page.route('**/files/*', (route) => route.fulfill({ status: 404 }))
  await page.reload()
  const card = block(page, 'Start', 'Image')
  await card.getByText('The image can’t be loaded').waitFor()
  await card.click()
  await panel.getByText('This image is not on this server', { exact: true }).waitFor()
  await page.emulateMedia({ colorScheme: 'dark' })
  await shot('6-gone-dark')
  expect(browser.errors.filter((error) => !/415|404/.test(error))).toEqual([])
})

/** So many seconds of silence. */
function wav(seconds: number): Buffer {
  const rate = 8_000
  const bytes = Buffer.alloc(44 + seconds * rate, 128)
  bytes.write('RIFF', 0, 'latin1')
  bytes.writeUInt32LE(bytes.length - 8, 4)
  bytes.write('WAVEfmt ', 8, 'latin1')
  bytes.writeUInt32LE(16, 16)
  bytes.writeUInt16LE(1, 20)
  bytes.writeUInt16LE(1, 22)
  bytes.writeUInt32LE(rate, 24)
  bytes.writeUInt32LE(rate, 28)
  bytes.writeUInt16LE(1, 32)
  bytes.writeUInt16LE(8, 34)
  bytes.write('data', 36, 'latin1')
  bytes.writeUInt32LE(bytes.length - 44, 40)
  return bytes
}

test('a sound is chosen, its length stands on its block, and players seek in it', async () => {
  const { page } = browser
  await page.unrouteAll()
  await page.goto(page.url().replace(/\/chatbots\/.*/, '/chatbots/new'))
  await page.getByLabel('Chatbot name').fill('Sounds')
  await page.getByRole('button', { name: 'Create chatbot' }).click()
  await ready(page)
  const kind = page.getByRole('complementary', { name: 'Blocks' }).getByRole('button', { name: 'Audio', exact: true })
  await drag(page, { on: kind }, { on: block(page, 'Start', 'Start'), y: -2 })
  const panel = settings(page)
  const chooser = page.waitForEvent('filechooser')
  await panel.getByRole('button', { name: 'Choose a file' }).press('Enter')
  await (await chooser).setFiles({ name: 'hello.wav', mimeType: 'audio/wav', buffer: wav(75) })
  await block(page, 'Start', 'Audio').getByText('1:15').waitFor()
  const player = panel.locator('audio')
  await expect.poll(() => player.evaluate((audio: HTMLAudioElement) => audio.readyState)).toBeGreaterThan(0)
  const place = await player.evaluate(async (audio: HTMLAudioElement) => {
    const seeked = new Promise((resolve) => audio.addEventListener('seeked', resolve, { once: true }))
    audio.currentTime = 60
    await seeked
    return audio.currentTime
  })
  expect(place).toBe(60)
  await shot('7-sound')
})
