import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { FirstView, GivenPage } from './contracts/firstView'

interface FrameDocument {
  text: string
  /** the scripts in it, as the policy's `script-src` names them */
  scripts: readonly string[]
}

/** Most characters of the words that close the chat, which the page that holds the frame says. */
const CLOSE_CAP = 100

/** Tells the page around it that the chat is there to be seen, before its scripts have come. */
const DRAWN = "parent.postMessage({parley:'drawn'},'*')"
const drawnHash = `'sha256-${createHash('sha256').update(DRAWN).digest('base64')}'`

/**
 * The page in a frame, made of the built one. What it is given stands in it as JSON; with a conversation, it is drawn
 * as well, with its styles in it, so that it can be read before anything else has come.
 * @param folder where the built page's styles are
 */
export function createFrameDocument(html: string, folder: string) {
  const links = html.match(/<link rel="stylesheet"[^>]*>/g) ?? []
  const styles = links.map((link) => {
    const [, path = ''] = /href="([^"]+)"/.exec(link) ?? []
    return readFileSync(join(folder, path), 'utf8')
  })
  const styled = links.reduce((page, link, at) => page.replace(link, () => `<style>${styles[at]}</style>`), html)

  return {
    plain: { text: html, scripts: [] } as FrameDocument,

    withGiven(given: GivenPage, view: FirstView, close: unknown): FrameDocument {
      const { page, spoken, begun } = given
      const data = `<script type="application/json" id="given">${forScript(JSON.stringify(given))}</script>`
      const speaks = (text: string) =>
        text.replace('<html lang="en">', `<html lang="${spoken.language}" dir="${spoken.dir}">`)
      const drawn = begun && draw({ page, spoken, conversation: begun.conversation, close: wordsOf(close) }, view)
      if (!drawn) return { text: speaks(html).replace('</head>', () => `${data}</head>`), scripts: [] }
      const dark = `<style id="first-dark">${drawn.darkStyle}</style>`
      // what it can't do yet, it does not offer
      const chat = `<div id="chat" inert>${drawn.html}</div><script>${DRAWN}</script>`
      const text = speaks(styled)
        .replace('</head>', () => `${dark}${data}</head>`)
        .replace('<div id="chat"></div>', () => chat)
      return { text, scripts: [drawnHash] }
    },
  }
}

/** What can't be drawn without a browser is left to it. */
function draw(given: Parameters<FirstView['draw']>[0], view: FirstView) {
  try {
    return view.draw(given)
  } catch {
    return null
  }
}

const wordsOf = (close: unknown): string | null =>
  typeof close === 'string' && close !== '' ? close.slice(0, CLOSE_CAP) : null

/** As a script's text, in which no `<` may begin anything. */
const forScript = (json: string): string => json.replace(/</g, '\\u003c')
