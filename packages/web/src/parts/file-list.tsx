/** Some files by their paths: the first few, and how many more there are. */
export function FileList({ files, most = 8, className = "" }: { files: string[]; most?: number; className?: string }) {
  const shown = files.slice(0, files.length === most + 1 ? most + 1 : most);
  return (
    <ul className={`figure rounded-md bg-panel px-3 py-2 ${className}`}>
      {shown.map((file) => (
        <li key={file} className="truncate" title={file}>
          {file}
        </li>
      ))}
      {files.length > shown.length && <li className="text-soft">and {files.length - shown.length} more</li>}
    </ul>
  );
}
