import { expect, it } from 'vitest'
import { readColours } from './readColours'
import { readHead } from './readHead'
import { readSite } from './readSite'

const bytes = (text: string) => new TextEncoder().encode(text)

it('reads what a page says of itself: name, theme, the largest icon, its sheets', () => {
  const html = `<!doctype html><html><head>
    <!-- <link rel="stylesheet" href="/not.css"> -->
    <title>Shoes &amp; more | Example Shop</title>
    <meta name="theme-color" content="#112233" media="(prefers-color-scheme: dark)">
    <meta name="theme-color" content='#7c3aed'>
    <link rel="icon" sizes="32x32" href="/32.png"><link rel="apple-touch-icon" href="touch.png">
    <link rel=stylesheet href=/a.css><link rel="preload stylesheet" href="https://cdn.example/b.css">
    <link rel="stylesheet" href="javascript:alert(1)">
    <script>var x = '<link rel="stylesheet" href="/no.css">'</script>
    <style>body { background: #fafafa }</style></head>`
  expect(readHead(html, 'https://example.com/shop/')).toEqual({
    name: 'Example Shop',
    themeColour: '#7c3aed',
    icon: 'https://example.com/shop/touch.png',
    manifest: null,
    sheets: ['https://example.com/a.css', 'https://cdn.example/b.css'],
    styles: ['body { background: #fafafa }'],
  })
})

it('takes page colours from the page, and the accent from its variables and buttons', () => {
  const css = `
    :root { --brand-primary: hsl(262 83% 58%); --ink: #1a1a2e }
    body { color: var(--ink); background-color: #fdfdfd }
    .teal { color: #008080 } .teal2 { color: #008080 }
    .btn-primary { background: var(--brand-primary); border-color: transparent }
    @media (min-width: 600px) { a:hover { color: #008080 } }`
  expect(readColours([css], [])).toEqual({ accent: '#7c3bed', background: '#fdfdfd', text: '#1a1a2e' })
  expect(readColours([css], ['#e11d48']).accent).toBe('#e11d48')
  expect(readColours(['p { color: #333 } h1 { color: white }'], ['#ffffff'])).toEqual({
    accent: null,
    background: null,
    text: null,
  })
})

it('goes by the manifest where the sheets say nothing, and minds none that is broken', () => {
  const read = (manifest: string) =>
    readSite({ step: 'colours', sheets: [], styles: [], named: [], manifest: bytes(manifest) })
  expect(read('{"short_name":"Shop","theme_color":"#0b6bcb","background_color":"#ffffff"}')).toEqual({
    colours: { accent: '#0b6bcb', background: '#ffffff', text: null },
    name: 'Shop',
  })
  for (const broken of ['{', '[]', 'null', '{"theme_color":1}', ''])
    expect(read(broken)).toMatchObject({ colours: { accent: null } })
})

it('ends where variables lead in a circle', () => {
  const css = ':root { --primary: var(--b); --b: var(--primary) } a { color: var(--primary) }'
  expect(readColours([css], [])).toEqual({ accent: null, background: null, text: null })
})
