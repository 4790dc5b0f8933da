/**
 * All text namespaces of the builder, loaded before it renders: if a part suspended later, React would run the cleanup
 * of the whole screen, which closes the flow and loses its undo.
 */
export const builderTexts = [
  'builder',
  'blocks',
  'chatbots',
  'offline',
  'palette',
  'phrases',
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
