// Shell scripts are imported as text, so that they are part of a compiled program.
declare module "*.sh" {
  const text: string;
  export default text;
}
