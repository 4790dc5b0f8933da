import type { FastifyInstance } from 'fastify'
import type { FlowCommands, Projection } from '../../../../engine/document/commands'
import { variableUses } from '../../../../engine/document/variableUses'
import { flowCaps } from '../../../../engine/flow/schema'
import { checkVariableName, cleanVariableName, type VariableNameProblem } from '../../../../engine/flow/variableName'
import { findFlow } from '../../../access/findFlow'
import { registerRoute } from '../../../access/register'
import { deleteVariable, saveVariable } from '../../../contracts/variables'
import type { ServerContext } from '../../../platform/context'
import { ApiError } from '../../../platform/errors'
import type { Documents } from '../collab/documents'

/** Routes that change a flow's variables in the live draft (SPEC.md 7). The builder itself uses its socket. */
export function registerVariables(app: FastifyInstance, context: ServerContext, documents: Documents): void {
  registerRoute(app, context, saveVariable, async ({ body, caller }) => {
    const place = await findFlow(caller, caller.project.id, body)
    if (body.type === 'update' && !body.vid) throw refused('Variable ID missing')
    return documents.editFlow(place.project_id, place.id, (commands, projection) => ({
      variable: body.type === 'new' ? create(commands, projection, body.name) : rename(commands, projection, body),
    }))
  })

  registerRoute(app, context, deleteVariable, async ({ body, caller }) => {
    const place = await findFlow(caller, caller.project.id, body)
    const { vid } = body
    if (!vid) throw refused('Select a variable to delete')
    return documents.editFlow(place.project_id, place.id, (commands, projection) => {
      find(projection, vid)
      const uses = variableUses(projection, context.registry).get(vid) ?? []
      commands.deleteVariable(vid)
      return { vid, used_in: uses.map(({ groupId, blockId }) => ({ group_id: groupId, block_id: blockId })) }
    })
  })

  function create(commands: FlowCommands, { variables }: Projection, name: string) {
    if (variables.length >= flowCaps.variables) throw refused(`A flow has at most ${flowCaps.variables} variables`)
    const variable = { id: context.ids(), name: checked(name, variables), value: null }
    commands.addVariable(variable)
    return variable
  }

  function rename(commands: FlowCommands, projection: Projection, { vid = '', name }: { vid?: string; name: string }) {
    const { id, value } = find(projection, vid)
    const others = projection.variables.filter((variable) => variable.id !== vid)
    const variable = { id, name: checked(name, others), value }
    commands.updateVariable(vid, { name: variable.name })
    return variable
  }
}

function find({ variables }: Projection, vid: string) {
  const variable = variables.find(({ id }) => id === vid)
  if (!variable) throw new ApiError('not_found', { message: 'This variable does not exist' })
  return variable
}

/** The cleaned name. Throws with the messages of SPEC.md 5. */
function checked(name: string, others: readonly { name: string }[]): string {
  const problem = checkVariableName(
    name,
    others.map((variable) => variable.name),
  )
  if (problem) throw refused(texts[problem.key].replace('{n}', String(problem.n)))
  return cleanVariableName(name)
}

const texts: Record<VariableNameProblem['key'], string> = {
  nameEmpty: 'Variable name cannot be empty',
  nameTooLong: 'Variable name cannot exceed {n} characters',
  nameTaken: 'A variable of this name exists already',
}

const refused = (message: string) => new ApiError('invalid', { message })
