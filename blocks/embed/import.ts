import { fieldsOf, numberOf, textOf } from '../../engine/interop/fields'
import type { BlockImporter } from '../../engine/interop/importer'
import { noteOthers } from '../../engine/interop/settings'
import { caps } from '../../engine/values/caps'
import { isExternalUrl } from '../../engine/values/url'
import { embedDefaults, HEIGHT } from './schema'

/** A page in a frame. Waiting for a message from the frame has no counterpart. */
export const embedFromTypebot: BlockImporter = {
  product: 'typebot',
  types: ['embed'],
  map(block, context) {
    const content = fieldsOf(block.content)
    noteOthers(content, ['url', 'height', 'waitForEvent'], context)
    if (fieldsOf(content.waitForEvent).isEnabled === true)
      context.note('It waited for a message from the page: here the conversation goes on at once.')
    const url = textOf(content.url).trim()
    if (url && !isExternalUrl(url) && !url.startsWith('{{'))
      return { notMapped: 'The embedded page has no address that starts with https:// or http://.' }
    const defaults = embedDefaults()
    const height = Math.round(numberOf(content.height) ?? defaults.height)
    return {
      data: {
        ...defaults,
        url: context.text(url, caps.url),
        height: Math.min(Math.max(height, HEIGHT.min), HEIGHT.max),
      },
      ports: { default: 'next' },
    }
  },
}

const CAL = 'https://cal.com/'

/** A booking page of Cal.com, in a frame. */
export const embedFromCalCom: BlockImporter = {
  product: 'typebot',
  types: ['cal-com', 'Cal.com'],
  map(block, context) {
    const options = fieldsOf(block.options)
    noteOthers(options, ['link', 'name', 'email', 'layout', 'baseUrl'], context)
    const link = textOf(options.link).trim()
    if (link === '') return { notMapped: 'The booking page has no link.' }
    const base = textOf(options.baseUrl).trim() || CAL
    const url =
      isExternalUrl(link) || link.startsWith('{{') ? link : base.replace(/\/*$/, '/') + link.replace(/^\/+/, '')
    context.note(
      'The booking page is embedded. What was booked comes by a Webhook trigger: enter its address in Cal.com.',
    )
    const query = ['name', 'email'].flatMap((field) => {
      const value = textOf(options[field]).trim()
      return value === '' ? [] : [`${field}=${value}`]
    })
    const address = query.length > 0 ? `${url}?${query.join('&')}` : url
    return {
      data: { ...embedDefaults(), url: context.text(address, caps.url), height: HEIGHT.max },
      ports: { default: 'next' },
    }
  },
}
