import ELK from 'elkjs/lib/elk.bundled.js'
import { registry } from '../../../blocks/registry'
import { parseFlowFile } from '../../../engine/flow/parseFlow'
import type { Flow } from '../../../engine/flow/schema'
import { layoutInput, roughShape } from '../../../engine/graph/layoutInput'
import { layoutOutput } from '../../../engine/graph/layoutOutput'
import type { ImportReport } from '../../../engine/interop/importer'
import { chatbotOf, flowText, naming, readFlow, readText, writeText } from './flowFiles'
import { readOptions } from './options'

const output = { output: { type: 'string', short: 'o' } } as const
const one = { least: 1, most: 1 }

/** Imports a flow of any product and prints the report. */
export async function importCommand(args: string[]): Promise<number> {
  const { values, files } = readOptions('import', args, output, one)
  const imported = await readFlow(files[0])
  process.stderr.write(reportText(imported.report))
  await writeText(values.output, flowText(chatbotOf(imported)))
  return 0
}

/** Writes a flow of ours in the present format; other products' flows must be imported first. */
export async function exportCommand(args: string[]): Promise<number> {
  const { values, files } = readOptions('export', args, output, one)
  const [file] = files
  const source = await readText(file)
  const flows = naming(file, () => parseFlowFile(source, registry, (note) => process.stderr.write(`${note}\n`)))
  await writeText(values.output, flowText(flows))
  return 0
}

export async function layoutCommand(args: string[]): Promise<number> {
  const { values, files } = readOptions('layout', args, output, one)
  const { main, others } = chatbotOf(await readFlow(files[0]))
  const arranged = { main: await arrange(main), others: [] as typeof others }
  for (const other of others) arranged.others.push({ ...other, flow: await arrange(other.flow) })
  await writeText(values.output, flowText(arranged))
  return 0
}

async function arrange(flow: Flow): Promise<Flow> {
  const { children } = await new ELK().layout(layoutInput(flow, registry, roughShape(registry)))
  return layoutOutput(flow, children)
}

function reportText({ product, version, mapped, placeholders, notes }: ImportReport): string {
  const lines = [
    `Read as ${product}, version ${version}.`,
    ...mapped.map(({ type, kind, count }) => `  ${count} × ${type === kind ? kind : `${type} → ${kind}`}`),
    ...placeholders.map(({ type, count, reason }) => `  ${count} × ${type} kept as a placeholder: ${reason}`),
    ...notes.map(({ level, place, message }) => `  ${level}: ${place ? `${place}: ` : ''}${message}`),
  ]
  return `${lines.join('\n')}\n`
}
