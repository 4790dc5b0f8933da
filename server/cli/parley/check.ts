import { registry } from '../../../blocks/registry'
import { checkFlow } from '../../../engine/check/createChecker'
import { describeDiagnostic, namesOf } from '../../../engine/check/describe'
import { outlineOf } from '../../../engine/check/outline'
import { viewOfFlow } from '../../../engine/check/view'
import { chatbotOf, readFlow } from './flowFiles'
import { readOptions } from './options'

/** Lists what the checker finds in all flows of a file, sorted by severity within each flow. */
export async function checkCommand(args: string[]): Promise<number> {
  const { values, files } = readOptions('check', args, { json: { type: 'boolean' } }, { least: 1, most: 1 })
  const { main, others } = chatbotOf(await readFlow(files[0]))
  const flows = [{ id: null, title: 'Main flow', flow: main }, ...others]
  const outlines = flows.map(({ id, title, flow }) => outlineOf(id, title, flow, registry))
  const found = flows.flatMap(({ id: flowId, title, flow }) => {
    const beside = outlines.filter(({ id }) => id !== flowId)
    const names = namesOf(viewOfFlow(flow), registry, outlines)
    return checkFlow(flow, registry, { flowId, others: beside }).map((diagnostic) => {
      const { code, severity, place, values, remedy } = diagnostic
      const text = describeDiagnostic(diagnostic, names)
      return {
        flowId,
        flow: title,
        group: names.group(place.groupId ?? ''),
        code,
        severity,
        place,
        values,
        text,
        remedy,
      }
    })
  })
  const count = (severity: string) => found.filter((one) => one.severity === severity).length
  const errors = count('error')
  if (values.json) process.stdout.write(`${JSON.stringify(found, null, 2)}\n`)
  else {
    const line = (one: (typeof found)[number]) => {
      const place = [...(others.length > 0 ? [one.flow] : []), ...(one.group ? [one.group] : [])].join(' > ')
      return `${one.severity.padEnd(7)}  ${place ? `${place}: ` : ''}${one.text}\n`
    }
    process.stdout.write(found.map(line).join(''))
    process.stdout.write(`${files[0]}: ${errors} errors, ${count('warning')} warnings, ${count('info')} hints\n`)
  }
  return errors > 0 ? 1 : 0
}
