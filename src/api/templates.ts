import { queryOptions } from '@tanstack/react-query'
import { listTemplates, readTemplate } from '../../server/contracts/templates'
import { callRoute } from './client'
import { shownLanguage } from './language'

/** Part of the installation: valid until the page is reloaded. */
export const templatesQuery = () => {
  const language = shownLanguage()
  return queryOptions({
    queryKey: ['templates', { language }],
    queryFn: ({ signal }) =>
      callRoute(listTemplates, { query: { language }, signal }).then(({ templates }) => templates),
    staleTime: Number.POSITIVE_INFINITY,
  })
}

export const templateQuery = (slug: string) => {
  const language = shownLanguage()
  return queryOptions({
    queryKey: ['templates', slug, { language }],
    queryFn: ({ signal }) =>
      callRoute(readTemplate, { params: { slug }, query: { language }, signal }).then(({ template }) => template),
    staleTime: Number.POSITIVE_INFINITY,
  })
}
