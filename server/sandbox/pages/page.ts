import { createHash } from 'node:crypto'
import type { Answer } from '../call'
import { Html, html } from './html'
import { style } from './style'

export interface Page {
  /** `Google` */
  vendor: string
  title: string
  content: Html
  /** other pages of this vendor; the current one is marked */
  links?: readonly { href: string; label: string; isHere?: boolean }[]
  /** where the page of all vendors is; absent: there is none */
  home?: string
  /** what stands on top; default: that it is not the vendor */
  notice?: Html
  /** styles of this page alone, beside those of all */
  ownStyle?: Html
  /** a program of this page; it may call this server alone. Absent: pages run nothing and load no pictures */
  script?: string
}

/** @returns a whole page, which says on top that it is not the vendor's */
export function page(shown: Page, status = 200): Answer {
  const { vendor, title, content, links = [], home, notice, ownStyle, script } = shown
  const whole = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<link rel="icon" href="data:,">
<title>${title} · ${vendor}</title>
<style>${style}${ownStyle}</style>
</head>
<body>
<header>
<p class="notice">${
    notice ??
    html`<strong>This is not ${vendor}.</strong> It is a stand-in for trying things out. What is here is kept in memory and gone when it stops.`
  }</p>
${
  links.length + (home ? 1 : 0) > 0 &&
  html`<nav aria-label="Pages">${home && html`<a href="${home}">All vendors</a>`}${links.map(
    ({ href, label, isHere }) => html`<a href="${href}"${isHere && html` aria-current="page"`}>${label}</a>`,
  )}</nav>`
}
</header>
<main>
<h1>${title}</h1>
${content}
</main>
${script !== undefined && html`<script>${new Html(script)}</script>`}
</body>
</html>`
  return {
    status,
    headers: {
      'content-security-policy': `default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'; base-uri 'none'; ${rightsOf(script)}`,
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'same-origin',
    },
    body: whole.text,
  }
}

/** Leads a browser on after a form, so that reloading does not send it again. */
export const goTo = (location: string): Answer => ({ status: 303, headers: { location } })

/** What a page may load. Its icon is an empty one: browsers would call the stand-in for another, which knows none. */
const rightsOf = (script: string | undefined): string => {
  if (script === undefined) return 'img-src data:'
  const hash = createHash('sha256').update(script).digest('base64')
  return `script-src 'sha256-${hash}'; connect-src 'self'; img-src http: https: data:; media-src http: https: data:`
}
