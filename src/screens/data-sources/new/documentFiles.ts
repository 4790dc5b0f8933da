import type { DocumentType } from '../../../../server/contracts/sources'

/** Endings and media types of documents, as browsers name them in a file dialog. */
const FILES: Readonly<Record<DocumentType, { media: string; endings: string[] }>> = {
  pdf: { media: 'application/pdf', endings: ['.pdf'] },
  docx: {
    media: 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
    endings: ['.docx'],
  },
  xlsx: { media: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet', endings: ['.xlsx'] },
  pptx: {
    media: 'application/vnd.openxmlformats-officedocument.presentationml.presentation',
    endings: ['.pptx'],
  },
  epub: { media: 'application/epub+zip', endings: ['.epub'] },
  html: { media: 'text/html', endings: ['.html', '.htm'] },
  csv: { media: 'text/csv', endings: ['.csv'] },
  text: { media: 'text/plain', endings: ['.txt', '.md', '.markdown'] },
}

/** For a file dialog: endings by media type. */
export const acceptedFiles = (types: readonly DocumentType[]): Record<string, string[]> =>
  Object.fromEntries(types.map((type) => [FILES[type].media, FILES[type].endings]))

/** Whether a file's name or its media type says that it is one of these. */
export const isOfType = ({ name, type }: Pick<File, 'name' | 'type'>, types: readonly DocumentType[]): boolean =>
  types.some(
    (each) =>
      (each === 'pdf' && type === FILES.pdf.media) ||
      FILES[each].endings.some((ending) => name.toLowerCase().endsWith(ending)),
  )
