import { expect, test } from 'vitest'
import { z } from 'zod'
import { contactFields } from '../../engine/values/contactFields'
import { contactChangeSchema } from '../../server/contracts/contacts'
import type { FlowFiles } from '../../server/modules/api/flowFiles'
import { listOperations } from '../../server/modules/api/operations'

/**
 * What the specification's point 3 says of an object, and what the public API answers of it: an operation, the place of
 * the object in its answer, and the fields that have to be there.
 */
const table: readonly [object: string, operation: string, place: string, fields: string][] = [
  ['chatbot: identity', 'readChatbot', '', 'gid egid name type version platform_id'],
  ['chatbot: business', 'readChatbot', '', 'business_name business_description visibility visibility_schedules'],
  ['chatbot: addresses', 'readChatbot', '', 'hide_urls whitelisted_domains interface_language'],
  ['chatbot: limits', 'readChatbot', '', 'end_user_rate_limits end_user_rate_limit_error'],
  ['sharing', 'readChatbot', 'sharing', 'slug password auth_enabled'],
  ['AI settings', 'readChatbot', '', 'instructions ai_model_id ai_language ai_temperature'],
  ['AI settings, grouped', 'readChatbot', 'ai', 'model_id language_id temperature instructions'],
  ['borrowed knowledge', 'readChatbot', 'linked_kb', 'id name'],
  ['WhatsApp', 'readChatbot', 'whatsapp_connection', 'id status_id phone_number phone_number_registered'],
  ['training', 'readChatbot', 'training_stats.count', 'total'],
  ['sources of a chatbot', 'readChatbot', 'data_sources', 'links faq text document'],
  ['survey', 'readChatbot', 'satisfaction_survey', 'enabled rating follow_up resolved feedback'],
  ['survey: rating', 'readChatbot', 'satisfaction_survey.rating', 'type'],
  ['survey: question', 'readChatbot', 'satisfaction_survey.feedback', 'enabled required'],
  ['chatbots', 'listChatbots', 'data[]', 'gid egid name type version platform_id business_name business_description'],
  ['contact', 'readContact', 'contact', 'gid fields custom tags'],
  ['lead', 'listLeads', 'data[]', 'gid name email phone answers'],
  ['conversation', 'readConversation', '', 'gid status channel environment language'],
  ['message', 'listMessages', 'messages[]', 'seq author content helpful'],
  ['source', 'readSource', 'source', 'gid kind title url status characters'],
  ['usage: messages', 'readUsage', 'usage.ai_message_credits', 'max used lifetime lifetime_used'],
  ['usage: training', 'readUsage', 'usage.training_credits', 'max used'],
  ['usage: once', 'readUsage', 'usage', 'training_lifetime_credits training_lifetime_credits_used'],
  ['usage: others', 'readUsage', 'usage', 'chatbots seats email_credits speech_to_text_seconds resync_credits'],
  ['usage: domains', 'readUsage', 'usage.custom_domains', 'max used'],
]

const operations = listOperations({ ids: () => '' }, {} as FlowFiles)

/** The object at a place of an answer; `[]` goes into a list's entries. */
function objectAt(schema: unknown, place: string): z.ZodObject {
  const parts = place === '' ? [] : place.replaceAll('[]', '.[]').split('.')
  const found = parts.reduce<unknown>((at, part) => {
    const whole = bare(at)
    return part === '[]' ? (whole as z.ZodArray).element : (whole as z.ZodObject).shape[part]
  }, schema)
  return bare(found) as z.ZodObject
}
const bare = (schema: unknown): unknown =>
  schema instanceof z.ZodNullable || schema instanceof z.ZodOptional ? bare(schema.unwrap()) : schema

test.each(table)('%s: %s answers what the specification lists', (_, id, place, fields) => {
  const operation = operations.find((each) => each.id === id)
  const known = Object.keys(objectAt(operation?.answer, place).shape)
  expect(fields.split(' ').filter((field) => !known.includes(field))).toEqual([])
})

test('a contact has the fields of the specification, under one name each', () => {
  const listed = 'user_id name address country state city job_title zip phone company website industry email'
  expect([...contactFields].sort()).toEqual(listed.split(' ').sort())
})

test('the name of a contact’s own field is one that the database can keep', () => {
  const takes = (name: string) => contactChangeSchema.safeParse({ custom: { [name]: 'x' } }).success
  expect(['Größe', 'a b', '\ud800', 'a\u0000'].map(takes)).toEqual([true, true, false, false])
})
