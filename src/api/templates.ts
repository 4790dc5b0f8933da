import { queryOptions } from '@tanstack/react-query'
import { listTemplates, readTemplate } from '../../server/contracts/templates'
import { callRoute } from './client'

/** Part of the installation: valid until the page is reloaded. */
export const templatesQuery = queryOptions({
  queryKey: ['templates'],
  queryFn: ({ signal }) => callRoute(listTemplates, { signal }).then(({ templates }) => templates),
  staleTime: Number.POSITIVE_INFINITY,
})

export const templateQuery = (slug: string) =>
  queryOptions({
    queryKey: ['templates', slug],
    queryFn: ({ signal }) => callRoute(readTemplate, { params: { slug }, signal }).then(({ template }) => template),
    staleTime: Number.POSITIVE_INFINITY,
  })
