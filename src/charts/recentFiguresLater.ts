import i18next from 'i18next'
import { lazyPart } from '../api/lazyPart'

/** The figures with their texts, loaded after the screen that they stand on. */
export const RecentFigures = lazyPart(async () => {
  const [part] = await Promise.all([import('./RecentFigures'), i18next.loadNamespaces('analytics')])
  return { default: part.RecentFigures }
})
