/** What is copied from the screen into sites and servers: code, in no language of the interface. */

export type Kind = 'bubble' | 'popup' | 'inline' | 'page'
export const kinds: readonly Kind[] = ['bubble', 'popup', 'inline', 'page']

export const platforms = ['html', 'wordpress', 'shopify', 'webflow', 'wix', 'gtm', 'framer', 'react', 'vue'] as const
export type Platform = (typeof platforms)[number]

/** The line, and what else a kind wants. */
export function embedCode(origin: string, egid: string, kind: Kind): string {
  if (kind === 'inline')
    return `<script async src="${origin}/embed.js?kind=inline"></script>\n<parley-chat chatbot="${egid}"></parley-chat>`
  const line = `<script async src="${origin}/embed.js?chatbot=${egid}${kind === 'bubble' ? '' : `&kind=${kind}`}"></script>`
  return kind === 'popup' ? `${line}\n<button data-parley-open>Chat with us</button>` : line
}

/** The same for applications that take it as a package. */
export function packageCode(origin: string, egid: string, kind: Kind, platform: 'react' | 'vue'): string {
  const attributes = `server="${origin}" chatbot="${egid}"`
  const name = kind === 'inline' ? 'ParleyChat' : 'ParleyBubble'
  const more = kind === 'popup' || kind === 'page' ? ` kind="${kind}"` : ''
  const element = `<${name} ${attributes}${more} />`
  if (platform === 'react') return `import { ${name} } from '@parley/embed/react'\n\n${element}`
  return `<script setup>\nimport { ${name} } from '@parley/embed/vue'\n</script>\n\n<template>\n  ${element}\n</template>`
}

export const signing = {
  node: `import { createHmac } from 'node:crypto'\n\nconst hash = createHmac('sha256', process.env.PARLEY_SECRET).update(user.id).digest('hex')`,
  php: `$hash = hash_hmac('sha256', $user->id, getenv('PARLEY_SECRET'));`,
  python: `import hashlib, hmac, os\n\nhash = hmac.new(os.environ["PARLEY_SECRET"].encode(), user.id.encode(), hashlib.sha256).hexdigest()`,
} as const
export type Language = keyof typeof signing

export const setUser = `Parley.push(['setUser', { id: user.id, hash }])`

/** Each call with the key of its text. */
export const calls = [
  ['open', `Parley.push(['open'])`],
  ['close', `Parley.push(['close'])`],
  ['toggle', `Parley.push(['toggle'])`],
  ['send', `Parley.push(['send', 'Where is my order?'])`],
  ['setVariables', `Parley.push(['setVariables', { plan: 'pro', orders: 3 }])`],
  ['setUser', `Parley.push(['setUser', { id: 'u-17', hash }])`],
  ['on', `Parley.push(['on', 'message', ({ from, text }) => console.log(from, text)])`],
  ['consent', `Parley.push(['consent', true, { analytics: false }])`],
  ['reset', `Parley.push(['reset'])`],
  ['destroy', `Parley.push(['destroy'])`],
] as const

export const queue = 'window.Parley ||= []'
export const policy = (origin: string): string =>
  `script-src ${origin}; connect-src ${origin}; frame-src ${origin}; img-src ${origin}`
