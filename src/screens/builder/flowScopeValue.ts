import { useMemo } from 'react'
import { uploadImage } from '../../api/files'
import { useEditor, useGroupTitles, useProjection } from '../../canvas/context'
import type { FlowScope } from '../../text/flowScope'

/** What the forms know of the flow; a new value only when a variable or a group's title has changed. */
export function useFlowScopeValue(pgid: string): FlowScope {
  const { document, newId, readOnly } = useEditor()
  const variables = useProjection((projection) => projection.variables)
  const groups = useGroupTitles()
  return useMemo(
    () => ({
      variables,
      groups,
      createVariable: readOnly
        ? null
        : (name) => {
            const id = newId()
            document.commands.addVariable({ id, name, value: null })
            return id
          },
      uploadImage: readOnly ? null : (file, options) => uploadImage(pgid, file, options),
    }),
    [variables, groups, document, newId, readOnly, pgid],
  )
}
