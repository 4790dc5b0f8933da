/**
 * All texts that the builder may come to show. They are there before it is: where a part of it has to wait for texts,
 * React takes the effects of the whole screen back, and with them the open flow and what can be undone in it.
 */
export const builderTexts = [
  'builder',
  'blocks',
  'chatbots',
  'offline',
  'presence',
  'comments',
  'preview',
  'problems',
  'statistics',
  'templates',
  'testEffects',
  'tests',
  'text',
  'variables',
  'versions',
]
