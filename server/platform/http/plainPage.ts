import { sendCspReports } from '../../contracts/cspReports'

/** Headers of a page that runs nothing, is kept nowhere and is found by nobody: its address is a secret. */
export const PLAIN_PAGE_HEADERS = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': `default-src 'none'; style-src 'unsafe-inline'; form-action 'self'; frame-ancestors 'none'; report-uri ${sendCspReports.path}`,
  'cache-control': 'no-store',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'x-robots-tag': 'noindex',
}

/** A text in HTML. */
export const escapeHtml = (text: string): string =>
  text.replace(/[&<>"']/g, (character) => `&#${character.codePointAt(0)};`)

/** A page of a title and a few words or a form, for people who come from a mail. @param body HTML */
export const plainPage = ({ lang, dir, title, body }: { lang: string; dir: string; title: string; body: string }) =>
  `<!doctype html><html lang="${lang}" dir="${dir}"><head><meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1"><title>${escapeHtml(title)}</title><style>${STYLE}</style></head>
<body><main><h1>${escapeHtml(title)}</h1>${body}</main></body></html>`

const STYLE = `:root{color-scheme:light dark}body{margin:0;font:16px/1.5 system-ui,sans-serif}
main{max-width:28rem;margin:15vh auto 0;padding:0 1.5rem}h1{font-size:1.25rem}
button{font:inherit;font-weight:600;padding:.5rem 1rem;border:0;border-radius:6px;background:#0f766e;color:#fff;cursor:pointer}`
