import { createExport, deleteExport, downloadExport, listExports } from '../../../contracts/exports'
import { list, type Operation, operation } from '../operation'

const about = { tag: 'Exports', names: { export: 'gid' } } as const

export const exportOperations: readonly Operation[] = [
  list(listExports, {
    ...about,
    id: 'listExports',
    path: '/exports',
    summary: 'List exports',
    description: 'The newest first; `status` says how far each is.',
    items: 'exports',
  }),
  operation(createExport, {
    ...about,
    id: 'createExport',
    path: '/exports',
    summary: 'Begin an export',
    description: 'It is made in the background.',
    example: { kind: 'contacts' },
    status: 201,
    pick: 'export',
  }),
  {
    ...operation(downloadExport, {
      ...about,
      id: 'downloadExport',
      path: '/exports/{export}/file',
      summary: 'Download an export',
      description: 'A zip of several files where CSV has several tables.',
    }),
    file: [
      ...['text/csv', 'application/zip', 'application/x-ndjson', 'application/octet-stream'],
      'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
    ],
  },
  operation(deleteExport, {
    ...about,
    id: 'deleteExport',
    path: '/exports/{export}',
    summary: 'Delete an export',
    pick: null,
  }),
]
