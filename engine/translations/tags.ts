import { VALUE_PATH } from '../values/valuePath'

const TAG = String.raw`<\/?[biua]>|<a href="[^"\n]{0,9000}">|<li(?: number)?(?: level="\d")?>`
const VARIABLE = String.raw`\{\{[^{}\n]{1,64}?(?:${VALUE_PATH})?\}\}`
const CODE = new RegExp(`${TAG}|${VARIABLE}`, 'gu')

/** The variables and tags of a text with markup, sorted: a translation needs the same ones, in any order. */
export const tagsOf = (markup: string): string[] => Array.from(markup.matchAll(CODE), ([code]) => code).sort()
