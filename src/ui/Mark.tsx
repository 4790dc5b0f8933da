/** The product's logo: a speech bubble with two lines, in the accent colour. */
export function Mark({ size = 24 }: { size?: number }) {
  return (
    <svg width={size} height={size} viewBox="0 0 24 24" aria-hidden="true">
      <path
        fill="var(--p-accent)"
        d="M6 2h12a5 5 0 0 1 5 5v7a5 5 0 0 1-5 5h-5.2L7.4 22.8c-.8.5-1.9 0-1.9-1V19A5 5 0 0 1 1 14V7a5 5 0 0 1 5-5Z"
      />
      <path fill="var(--p-on-accent)" d="M7 8.2h10v1.9H7zm0 3.9h6.4V14H7z" />
    </svg>
  )
}
