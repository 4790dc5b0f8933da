import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import {
  type CustomField,
  createCustomField,
  deleteCustomField,
  listCustomFields,
  updateCustomField,
} from '../../server/contracts/customFields'
import { callRoute } from './client'
import { contactsKey } from './contacts'

/** The project's own fields of contacts. */
export const contactFieldsQuery = (pgid: string) =>
  queryOptions({
    queryKey: [...contactsKey(pgid), 'fields'],
    queryFn: ({ signal }) => callRoute(listCustomFields, { params: { pgid }, signal }),
    staleTime: 0,
  })

export function useContactFieldChanges(pgid: string) {
  const queries = useQueryClient()
  // not waited for: what shows the field may go with it
  const onSuccess = () => void queries.invalidateQueries({ queryKey: contactsKey(pgid) })
  const save = useMutation({
    mutationFn: ({ gid, name, ...body }: CustomField) =>
      gid === ''
        ? callRoute(createCustomField, { params: { pgid }, body: { name, ...body } })
        : callRoute(updateCustomField, { params: { pgid, gid }, body }),
    onSuccess,
  })
  const remove = useMutation({
    mutationFn: (gid: string) => callRoute(deleteCustomField, { params: { pgid, gid } }),
    onSuccess,
  })
  return { save, remove }
}
